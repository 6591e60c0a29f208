"""Check an SBOM by the schema of CycloneDX 1.6: `python tests/check_sbom.py FILE`; exit code 1 if it does not hold.

Runs alone, with the package `cyclonedx-python-lib[json-validation]`, which the other tests do not need.
"""

import sys
from pathlib import Path


def main(file: str) -> int:
    """Print what is wrong with the file, and return the exit code."""
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(Path(file).read_text(encoding="utf-8"))
    if wrong:
        sys.stderr.write(f"error: {file}: {wrong}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
