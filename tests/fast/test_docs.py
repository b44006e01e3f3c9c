"""The examples of docs/fast.md run as they stand."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "fast.md").read_text()


def test_the_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    examples = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
    assert len(examples) == 3
    for example in examples:
        exec(example, names)
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 3
    assert int(said[0].split()[0]) >= 100
