-- The tables of the database; those to which others refer stand first.
--
-- The names of tables and columns for reading and writing follow from this file (`tables.py`). A table's key columns
-- come first. Columns called `act` name the entry that made the row or changed it last; seats count from 0, as in the
-- domain, first dealer first.

-- The hash of a key to the pages of a desk or of a table, outside the journal; the key itself is kept nowhere.
--
-- `entry` is the id of the entry that drew the round of a table, or made the event of a player: the key opens nothing
-- that another entry has made under the same number. `origin` says where a seat, a desk or a guess comes from.
CREATE TABLE IF NOT EXISTS access (
    hash VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    salt VARCHAR NOT NULL,
    event INTEGER,
    round INTEGER,
    table_number INTEGER,
    player INTEGER,
    entry VARCHAR NOT NULL,
    made VARCHAR NOT NULL,
    ended VARCHAR,
    origin VARCHAR,
    CONSTRAINT pk_access PRIMARY KEY (hash),
    CONSTRAINT ck_access_hash CHECK (length(hash) = 64),
    CONSTRAINT ck_access_kind CHECK (kind IN ('desk', 'sign-in', 'table', 'code', 'pin', 'seat'))
);

-- An entry of the journal: `text` is authoritative, and other columns repeat parts of it.
CREATE TABLE IF NOT EXISTS act (
    number INTEGER NOT NULL,
    id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    time VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    hash VARCHAR NOT NULL,
    CONSTRAINT pk_act PRIMARY KEY (number),
    CONSTRAINT uq_act_id UNIQUE (id),
    CONSTRAINT ck_act_number CHECK (number >= 1),
    CONSTRAINT ck_act_id CHECK (length(id) = 32),
    CONSTRAINT ck_act_hash CHECK (length(hash) = 64)
);

-- The last number assigned of each kind, undone or not: no number is assigned twice.
CREATE TABLE IF NOT EXISTS counter (
    kind VARCHAR NOT NULL,
    event INTEGER NOT NULL,
    last INTEGER NOT NULL,
    CONSTRAINT pk_counter PRIMARY KEY (kind, event)
);

-- The partial sheets of versions before 0009: outside the journal, which decides which of them is shown.
CREATE TABLE IF NOT EXISTS draft (
    event INTEGER NOT NULL,
    round INTEGER NOT NULL,
    table_number INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    CONSTRAINT pk_draft PRIMARY KEY (event, round, table_number)
);

-- The outcome of a block (from 0) while the league had `entrants` entrants, as text with its SHA-256.
--
-- Outside the journal, and kept whether the league's entry stands or was undone.
CREATE TABLE IF NOT EXISTS league_block (
    league INTEGER NOT NULL,
    entrants INTEGER NOT NULL,
    block INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    hash VARCHAR NOT NULL,
    CONSTRAINT pk_league_block PRIMARY KEY (league, entrants, block),
    CONSTRAINT ck_league_block_hash CHECK (length(hash) = 64)
);

-- A bot that failed in a block, what it did, and the traceback.
CREATE TABLE IF NOT EXISTS league_fault (
    league INTEGER NOT NULL,
    entrants INTEGER NOT NULL,
    block INTEGER NOT NULL,
    place INTEGER NOT NULL,
    game INTEGER NOT NULL,
    hand INTEGER NOT NULL,
    entrant INTEGER NOT NULL,
    what VARCHAR NOT NULL,
    trace VARCHAR NOT NULL,
    checksum VARCHAR NOT NULL,
    CONSTRAINT pk_league_fault PRIMARY KEY (league, entrants, block, place)
);

-- The record of a game, compressed by zlib and in base 85, with the SHA-256 of its text.
CREATE TABLE IF NOT EXISTS league_record (
    league INTEGER NOT NULL,
    entrants INTEGER NOT NULL,
    block INTEGER NOT NULL,
    game INTEGER NOT NULL,
    packed VARCHAR NOT NULL,
    digest VARCHAR NOT NULL,
    CONSTRAINT pk_league_record PRIMARY KEY (league, entrants, block, game),
    CONSTRAINT ck_league_record_digest CHECK (length(digest) = 64)
);

-- The number of rows of a kind that a league with `entrants` entrants has, and the sum of their digests.
CREATE TABLE IF NOT EXISTS league_seal (
    league INTEGER NOT NULL,
    entrants INTEGER NOT NULL,
    what VARCHAR NOT NULL,
    rows INTEGER NOT NULL,
    total VARCHAR NOT NULL,
    checksum VARCHAR NOT NULL,
    CONSTRAINT pk_league_seal PRIMARY KEY (league, entrants, what),
    CONSTRAINT ck_league_seal_what CHECK (what IN ('block', 'fault', 'record'))
);

-- Name, label and club of a person: outside the journal, so that they can be changed or erased.
--
-- Every version stays, for undoing. `folded` is a current name in its form for look-ups, NULL for other versions.
CREATE TABLE IF NOT EXISTS person (
    player INTEGER NOT NULL,
    version INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    club VARCHAR NOT NULL,
    folded VARCHAR,
    checksum VARCHAR NOT NULL,
    CONSTRAINT pk_person PRIMARY KEY (player, version),
    CONSTRAINT uq_person_folded UNIQUE (folded),
    CONSTRAINT ck_person_version CHECK (version >= 1)
);

-- A player's place in an imported game, in the order of the file; the journal has their digest.
--
-- Without a row number, in the order of its key: imports are quicker, and their file is half as long.
CREATE TABLE IF NOT EXISTS pool_result (
    pool_import INTEGER NOT NULL,
    "row" INTEGER NOT NULL,
    game INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    place INTEGER NOT NULL,
    CONSTRAINT pk_pool_result PRIMARY KEY (pool_import, "row"),
    CONSTRAINT ck_pool_result_place CHECK (place >= 1)
) WITHOUT ROWID;

-- The tables of a round that count, as text; valid while its seats and results have the same checksums.
CREATE TABLE IF NOT EXISTS rated_round (
    event INTEGER NOT NULL,
    round INTEGER NOT NULL,
    seats VARCHAR NOT NULL,
    scores VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    checksum VARCHAR NOT NULL,
    CONSTRAINT pk_rated_round PRIMARY KEY (event, round)
);

-- The ratings of a pool after its first `games` games, valid while the digest of those games is the same.
CREATE TABLE IF NOT EXISTS rating_checkpoint (
    pool VARCHAR NOT NULL,
    games INTEGER NOT NULL,
    inputs VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    checksum VARCHAR NOT NULL,
    CONSTRAINT pk_rating_checkpoint PRIMARY KEY (pool, games)
);

-- A game as text, outside the journal, which has its SHA-256.
CREATE TABLE IF NOT EXISTS record (
    digest VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    CONSTRAINT pk_record PRIMARY KEY (digest),
    CONSTRAINT ck_record_digest CHECK (length(digest) = 64)
);

-- The checksum of all rows of a partition; a partition without rows has none.
CREATE TABLE IF NOT EXISTS seal (
    part VARCHAR NOT NULL,
    event INTEGER NOT NULL,
    round INTEGER NOT NULL,
    digest VARCHAR NOT NULL,
    CONSTRAINT pk_seal PRIMARY KEY (part, event, round),
    CONSTRAINT ck_seal_digest CHECK (length(digest) = 64)
);

-- A table's sheet as one phone typed it, outside the journal: what the journal has is the result made of it.
--
-- The phone gives the id. `entry` is the id of the entry that drew the round, `result` that of the result's entry once
-- the sheet was confirmed, and `text` has the hands as a partial sheet has them. `player` has typed the sheet,
-- `confirmed_by` has confirmed it.
CREATE TABLE IF NOT EXISTS submission (
    id VARCHAR NOT NULL,
    event INTEGER NOT NULL,
    round INTEGER NOT NULL,
    table_number INTEGER NOT NULL,
    entry VARCHAR NOT NULL,
    device VARCHAR NOT NULL,
    player INTEGER,
    text VARCHAR NOT NULL,
    time VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    confirmed_by INTEGER,
    result VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    CONSTRAINT pk_submission PRIMARY KEY (id),
    CONSTRAINT ck_submission_id CHECK (length(id) = 32),
    CONSTRAINT ck_submission_state CHECK (state IN ('typing', 'waiting', 'confirmed', 'refused'))
);

-- One tournament; `settings` and `wishes` are canonical JSON, `rules_text` is a club's own rules.
CREATE TABLE IF NOT EXISTS event (
    id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    folded VARCHAR NOT NULL,
    rules VARCHAR NOT NULL,
    rules_digest VARCHAR NOT NULL,
    settings VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    rules_text VARCHAR NOT NULL,
    wishes VARCHAR NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_event PRIMARY KEY (id),
    CONSTRAINT uq_event_folded UNIQUE (folded),
    CONSTRAINT ck_event_name CHECK (name <> ''),
    CONSTRAINT ck_event_state CHECK (state IN ('open', 'finished')),
    CONSTRAINT fk_event_act FOREIGN KEY(act) REFERENCES act (number)
);

-- The number of entries and the hash of the last, so that a truncated journal is detected.
CREATE TABLE IF NOT EXISTS head (
    one INTEGER NOT NULL,
    acts INTEGER NOT NULL,
    hash VARCHAR NOT NULL,
    CONSTRAINT pk_head PRIMARY KEY (one),
    CONSTRAINT ck_head_one CHECK (one = 1),
    CONSTRAINT ck_head_acts CHECK (acts >= 1),
    CONSTRAINT fk_head_acts FOREIGN KEY(acts) REFERENCES act (number)
);

-- A league, its bots as canonical JSON; `program` is the version of this program that began it.
--
-- `more` has the settings that few leagues have, as canonical JSON, and is empty without any.
CREATE TABLE IF NOT EXISTS league (
    id INTEGER NOT NULL,
    bots VARCHAR NOT NULL,
    rules VARCHAR NOT NULL,
    rules_digest VARCHAR NOT NULL,
    rules_text VARCHAR NOT NULL,
    seats INTEGER NOT NULL,
    seed VARCHAR NOT NULL,
    blocks INTEGER NOT NULL,
    design VARCHAR NOT NULL,
    certainty VARCHAR NOT NULL,
    records VARCHAR NOT NULL,
    stake INTEGER NOT NULL,
    more VARCHAR NOT NULL,
    program VARCHAR NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_league PRIMARY KEY (id),
    CONSTRAINT ck_league_seats CHECK (seats >= 2),
    CONSTRAINT ck_league_blocks CHECK (blocks >= 1),
    CONSTRAINT ck_league_stake CHECK (stake >= 0),
    CONSTRAINT ck_league_design CHECK (design IN ('pairs', 'replace', 'gauntlet', 'rotations', 'fresh')),
    CONSTRAINT ck_league_records CHECK (records IN ('none', 'sampled', 'all')),
    CONSTRAINT fk_league_act FOREIGN KEY(act) REFERENCES act (number)
);

-- The partial sheets of a table as text, one for each group of players for whom one was begun, the newest first.
CREATE TABLE IF NOT EXISTS partial_sheet (
    event INTEGER NOT NULL,
    round INTEGER NOT NULL,
    table_number INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_partial_sheet PRIMARY KEY (event, round, table_number),
    CONSTRAINT fk_partial_sheet_act FOREIGN KEY(act) REFERENCES act (number)
);

-- Everybody who can enter an event; the name of a bot's seat is here, a person's is in `person`.
--
-- `version` says which text of the person counts, and `merged` into which player this one was merged.
CREATE TABLE IF NOT EXISTS player (
    id INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    bot VARCHAR,
    version INTEGER NOT NULL,
    erased INTEGER NOT NULL,
    merged INTEGER,
    act INTEGER NOT NULL,
    CONSTRAINT pk_player PRIMARY KEY (id),
    CONSTRAINT uq_player_bot UNIQUE (bot),
    CONSTRAINT ck_player_kind CHECK (kind IN ('person', 'bot')),
    CONSTRAINT ck_player_bot CHECK ((kind = 'bot') = (bot IS NOT NULL)),
    CONSTRAINT ck_player_erased CHECK (erased IN (0, 1)),
    CONSTRAINT fk_player_merged FOREIGN KEY(merged) REFERENCES player (id),
    CONSTRAINT fk_player_act FOREIGN KEY(act) REFERENCES act (number)
);

-- A pool with its parameters as text; people and bots have a row only if theirs have been set.
CREATE TABLE IF NOT EXISTS pool (
    id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    folded VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    mu VARCHAR NOT NULL,
    sigma VARCHAR NOT NULL,
    beta VARCHAR NOT NULL,
    tau VARCHAR NOT NULL,
    draw VARCHAR NOT NULL,
    absence VARCHAR NOT NULL,
    unit VARCHAR NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_pool PRIMARY KEY (id),
    CONSTRAINT uq_pool_folded UNIQUE (folded),
    CONSTRAINT ck_pool_kind CHECK (kind IN ('people', 'bots', 'joint', 'imported')),
    CONSTRAINT ck_pool_unit CHECK (unit = 'game' OR unit = 'hand' AND kind <> 'imported'),
    CONSTRAINT fk_pool_act FOREIGN KEY(act) REFERENCES act (number)
);

-- The state of an entry: it stands, was undone, or takes back or puts back other entries.
--
-- `batch` is the first entry of the same command.
CREATE TABLE IF NOT EXISTS step (
    act INTEGER NOT NULL,
    batch INTEGER NOT NULL,
    state VARCHAR NOT NULL,
    CONSTRAINT pk_step PRIMARY KEY (act),
    CONSTRAINT ck_step_state CHECK (state IN ('stands', 'undone', 'takes back', 'puts back')),
    CONSTRAINT fk_step_act FOREIGN KEY(act) REFERENCES act (number),
    CONSTRAINT fk_step_batch FOREIGN KEY(batch) REFERENCES act (number)
);

-- A partition that an entry has written (event or round 0: of none), so that it can be rebuilt by itself.
CREATE TABLE IF NOT EXISTS trace (
    part VARCHAR NOT NULL,
    event INTEGER NOT NULL,
    round INTEGER NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_trace PRIMARY KEY (part, event, round, act),
    CONSTRAINT fk_trace_act FOREIGN KEY(act) REFERENCES act (number)
);

-- Batches that can be put back, the last one undone on top; a new entry clears them.
CREATE TABLE IF NOT EXISTS undone (
    place INTEGER NOT NULL,
    batch INTEGER NOT NULL,
    CONSTRAINT pk_undone PRIMARY KEY (place),
    CONSTRAINT fk_undone_batch FOREIGN KEY(batch) REFERENCES act (number)
);

-- The current event.
CREATE TABLE IF NOT EXISTS current_event (
    one INTEGER NOT NULL,
    event INTEGER NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_current_event PRIMARY KEY (one),
    CONSTRAINT ck_current_event_one CHECK (one = 1),
    CONSTRAINT fk_current_event_event FOREIGN KEY(event) REFERENCES event (id),
    CONSTRAINT fk_current_event_act FOREIGN KEY(act) REFERENCES act (number)
);

-- A player entered in an event, numbered from 1 in the order of entry.
CREATE TABLE IF NOT EXISTS entrant (
    event INTEGER NOT NULL,
    number INTEGER NOT NULL,
    player INTEGER NOT NULL,
    state VARCHAR NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_entrant PRIMARY KEY (event, number),
    CONSTRAINT uq_entrant_event_player UNIQUE (event, player),
    CONSTRAINT ck_entrant_number CHECK (number >= 1),
    CONSTRAINT ck_entrant_state CHECK (state IN ('entered', 'checked in', 'withdrawn', 'no-show')),
    CONSTRAINT fk_entrant_event FOREIGN KEY(event) REFERENCES event (id),
    CONSTRAINT fk_entrant_player FOREIGN KEY(player) REFERENCES player (id),
    CONSTRAINT fk_entrant_act FOREIGN KEY(act) REFERENCES act (number)
);

-- A question of a table to the desk, numbered from 1 in its event; its round may have been cancelled since.
CREATE TABLE IF NOT EXISTS flag (
    event INTEGER NOT NULL,
    number INTEGER NOT NULL,
    round INTEGER NOT NULL,
    table_number INTEGER NOT NULL,
    player INTEGER,
    text VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    answer VARCHAR NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_flag PRIMARY KEY (event, number),
    CONSTRAINT ck_flag_number CHECK (number >= 1),
    CONSTRAINT ck_flag_state CHECK (state IN ('open', 'answered')),
    CONSTRAINT fk_flag_event FOREIGN KEY(event) REFERENCES event (id),
    CONSTRAINT fk_flag_player FOREIGN KEY(player) REFERENCES player (id),
    CONSTRAINT fk_flag_act FOREIGN KEY(act) REFERENCES act (number)
);

-- One results file imported into a pool, with the digest of its rows.
CREATE TABLE IF NOT EXISTS pool_import (
    id INTEGER NOT NULL,
    pool INTEGER NOT NULL,
    games INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    digest VARCHAR NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_pool_import PRIMARY KEY (id),
    CONSTRAINT ck_pool_import_games CHECK (games >= 0),
    CONSTRAINT ck_pool_import_rows CHECK (rows >= 0),
    CONSTRAINT fk_pool_import_pool FOREIGN KEY(pool) REFERENCES pool (id),
    CONSTRAINT fk_pool_import_act FOREIGN KEY(act) REFERENCES act (number)
);

-- A round that has been drawn, and its clock if one was started; a draft is shown to nobody but the desk.
CREATE TABLE IF NOT EXISTS round (
    event INTEGER NOT NULL,
    number INTEGER NOT NULL,
    started VARCHAR,
    minutes INTEGER,
    draft INTEGER NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_round PRIMARY KEY (event, number),
    CONSTRAINT ck_round_number CHECK (number >= 1),
    CONSTRAINT ck_round_minutes CHECK (minutes >= 1),
    CONSTRAINT ck_round_clock CHECK ((started IS NULL) = (minutes IS NULL)),
    CONSTRAINT ck_round_draft CHECK (draft IN (0, 1)),
    CONSTRAINT fk_round_event FOREIGN KEY(event) REFERENCES event (id),
    CONSTRAINT fk_round_act FOREIGN KEY(act) REFERENCES act (number)
);

-- An arbiter's decision, numbered from 1 in its event; a round it names may have been cancelled since.
CREATE TABLE IF NOT EXISTS ruling (
    event INTEGER NOT NULL,
    number INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    round INTEGER,
    table_number INTEGER,
    player INTEGER,
    hand VARCHAR NOT NULL,
    points INTEGER NOT NULL,
    state VARCHAR NOT NULL,
    why_cancelled VARCHAR NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_ruling PRIMARY KEY (event, number),
    CONSTRAINT ck_ruling_number CHECK (number >= 1),
    CONSTRAINT ck_ruling_kind CHECK (kind IN ('penalty', 'redeal', 'correction', 'note')),
    CONSTRAINT ck_ruling_state CHECK (state IN ('stands', 'cancelled')),
    CONSTRAINT fk_ruling_event FOREIGN KEY(event) REFERENCES event (id),
    CONSTRAINT fk_ruling_player FOREIGN KEY(player) REFERENCES player (id),
    CONSTRAINT fk_ruling_act FOREIGN KEY(act) REFERENCES act (number)
);

-- The result of a table; a void one has no scores. `short` is the number of hands not played.
CREATE TABLE IF NOT EXISTS result (
    event INTEGER NOT NULL,
    round INTEGER NOT NULL,
    table_number INTEGER NOT NULL,
    state VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    short INTEGER NOT NULL,
    record VARCHAR,
    act INTEGER NOT NULL,
    CONSTRAINT pk_result PRIMARY KEY (event, round, table_number),
    CONSTRAINT fk_result_event_round FOREIGN KEY(event, round) REFERENCES round (event, number),
    CONSTRAINT ck_result_state CHECK (state IN ('counts', 'void')),
    CONSTRAINT ck_result_record CHECK (state = 'counts' OR record IS NULL),
    CONSTRAINT ck_result_short CHECK (short >= 0),
    CONSTRAINT fk_result_record FOREIGN KEY(record) REFERENCES record (digest),
    CONSTRAINT fk_result_act FOREIGN KEY(act) REFERENCES act (number)
);

-- A player's seat in a round.
CREATE TABLE IF NOT EXISTS seat (
    event INTEGER NOT NULL,
    round INTEGER NOT NULL,
    table_number INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    player INTEGER NOT NULL,
    CONSTRAINT pk_seat PRIMARY KEY (event, round, table_number, seat),
    CONSTRAINT uq_seat_event_round_player UNIQUE (event, round, player),
    CONSTRAINT fk_seat_event_round FOREIGN KEY(event, round) REFERENCES round (event, number),
    CONSTRAINT fk_seat_event_player FOREIGN KEY(event, player) REFERENCES entrant (event, player),
    CONSTRAINT ck_seat_table_number CHECK (table_number >= 1),
    CONSTRAINT ck_seat_seat CHECK (seat >= 0)
);

-- A player's bye in a round.
CREATE TABLE IF NOT EXISTS sitting_out (
    event INTEGER NOT NULL,
    round INTEGER NOT NULL,
    player INTEGER NOT NULL,
    CONSTRAINT pk_sitting_out PRIMARY KEY (event, round, player),
    CONSTRAINT fk_sitting_out_event_round FOREIGN KEY(event, round) REFERENCES round (event, number),
    CONSTRAINT fk_sitting_out_event_player FOREIGN KEY(event, player) REFERENCES entrant (event, player)
);

-- One hand of a result; a dead hand has no closer. Only hands of the knock game have an `ending`.
CREATE TABLE IF NOT EXISTS hand (
    event INTEGER NOT NULL,
    round INTEGER NOT NULL,
    table_number INTEGER NOT NULL,
    hand INTEGER NOT NULL,
    contract VARCHAR NOT NULL,
    closer INTEGER,
    at_once INTEGER NOT NULL,
    ending VARCHAR NOT NULL,
    CONSTRAINT pk_hand PRIMARY KEY (event, round, table_number, hand),
    CONSTRAINT fk_hand_event_round_table_number FOREIGN KEY(event, round, table_number)
        REFERENCES result (event, round, table_number),
    CONSTRAINT fk_hand_event_round_table_number_closer FOREIGN KEY(event, round, table_number, closer)
        REFERENCES seat (event, round, table_number, seat),
    CONSTRAINT ck_hand_hand CHECK (hand >= 0),
    CONSTRAINT ck_hand_at_once CHECK (at_once IN (0, 1)),
    CONSTRAINT ck_hand_closer CHECK (closer IS NOT NULL OR at_once = 0)
);

-- A seat's total points, hands won and place; `extra` is what hands not played cost it, `money` its winnings.
CREATE TABLE IF NOT EXISTS score (
    event INTEGER NOT NULL,
    round INTEGER NOT NULL,
    table_number INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    points INTEGER NOT NULL,
    hands_won INTEGER NOT NULL,
    place INTEGER NOT NULL,
    extra INTEGER,
    money INTEGER,
    CONSTRAINT pk_score PRIMARY KEY (event, round, table_number, seat),
    CONSTRAINT fk_score_event_round_table_number FOREIGN KEY(event, round, table_number)
        REFERENCES result (event, round, table_number),
    CONSTRAINT fk_score_event_round_table_number_seat FOREIGN KEY(event, round, table_number, seat)
        REFERENCES seat (event, round, table_number, seat),
    CONSTRAINT ck_score_hands_won CHECK (hands_won >= 0),
    CONSTRAINT ck_score_place CHECK (place >= 1)
);

-- A seat's points in one hand, and the points that it then bought off.
CREATE TABLE IF NOT EXISTS hand_score (
    event INTEGER NOT NULL,
    round INTEGER NOT NULL,
    table_number INTEGER NOT NULL,
    hand INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    points INTEGER NOT NULL,
    off INTEGER,
    CONSTRAINT pk_hand_score PRIMARY KEY (event, round, table_number, hand, seat),
    CONSTRAINT fk_hand_score_event_round_table_number_hand FOREIGN KEY(event, round, table_number, hand)
        REFERENCES hand (event, round, table_number, hand),
    CONSTRAINT fk_hand_score_event_round_table_number_seat FOREIGN KEY(event, round, table_number, seat)
        REFERENCES seat (event, round, table_number, seat)
);
