"""Files beside a database: created atomically, and temporary copies that do not stay."""
