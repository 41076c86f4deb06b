"""Scalars of JSON or YAML, and the keys of maps -> texts by the definition."""

from __future__ import annotations

import json
from typing import Any

from ...definition import (
    Node,
    Path,
    choice_text,
    is_placeholder,
    is_words,
)
from ...findings import RepairKind
from ...markup import BLANK, NULL_WORDS
from ..scalars.scalars import Scalar, is_strict, own_name, read_key, read_scalar
from ..written import Bare, Members, Value
from .data_record import YAML_NUMBERS, DataRecorder
from .members import name_of, value_in

__all__ = ["DataScalars", "is_left_over"]

_TYPED = ("int", "float", "bool")
"""Kinds that JSON has a form of its own for: in quotes they are another form."""


class DataScalars(DataRecorder):
    """Reads what is one value. A list of one is taken for it."""

    def scalar(self, node: Node, value: Value, path: Path) -> Any:
        if not isinstance(value.held, str):
            return self.scalar_of_holder(node, value, path)
        if is_strict(node.kind, value.held) and (node.kind not in _TYPED or isinstance(value.held, Bare)):
            return str(value.held)
        if node.kind == "enum":
            exact = [choice for choice in node.choices if _is_choice(choice, value.held)]
            if exact:
                return exact[0]
        raw = value.held.strip(BLANK)
        if self.is_yaml and node.kind == "float" and isinstance(value.held, Bare):
            raw = YAML_NUMBERS.get(raw.lower(), raw)
        marked = None if isinstance(value.held, Bare) else "str"
        return self.found(node, value, read_scalar(node, raw, raw, marked, own_name(path)), path)

    def scalar_of_holder(self, node: Node, value: Value, path: Path) -> Any:
        """A list of one value is taken for that value, and an object that holds nothing else, as its `value` or by its
        name, too; anything else is none.
        """
        held = value.held
        only = value_in(held, own_name(path)) if isinstance(held, Members) else None
        if only is not None:
            self.repair(RepairKind.WRAPPER_ENTERED, path, only[0], name_of(only[0]), name_of(only[0]))
            self.note_cut(value, path)
            return self.value(node, only[1], path)
        if not isinstance(held, list) or len(held) != 1:
            what = "an object" if isinstance(held, Members) else "a list"
            self.invalid(path, f"{what} stands where a single value is asked for", value)
            return None
        self.reshaped(path, value, held[0])
        return self.value(node, held[0], path)

    def text(self, node: Node, value: Value, path: Path) -> Any:
        """A text, verbatim. A number or a truth value in its place keeps its characters, on record; a null word
        without quotes is null where null is allowed.
        """
        if not isinstance(value.held, str):
            return self.scalar_of_holder(node, value, path)
        text = str(value.held)
        if isinstance(value.held, Bare) and node.nullable and not text:
            return None
        if isinstance(value.held, Bare) and node.nullable and text.lower() in NULL_WORDS:
            self.repair(RepairKind.NULL_WORD, path, value, text, "null")
            return None
        if isinstance(value.held, Bare) and not self.is_yaml and value.change is None:
            self.repair(RepairKind.VALUE_RESPELLED, path, value, text, json.dumps(text))
        return text

    def found(self, node: Node, value: Value, scalar: Scalar, path: Path) -> Any:
        """The value of a scalar; its repair or its problem goes on record."""
        if scalar.problem is not None:
            self.invalid(path, scalar.problem, value, scalar.candidates)
            return None
        kind = scalar.repair or self.kind_of_other_form(node, value, scalar)
        if kind is not None:
            after = "null" if scalar.value is None else str(scalar.value)
            shown = self.shown(value)
            self.repair(kind, path, value, self.shown(value, quoted=True) if shown == after else shown, after)
        return scalar.value

    def kind_of_other_form(self, node: Node, value: Value, scalar: Scalar) -> RepairKind | None:
        """What is to be said of a value whose text is right and whose type in JSON is not."""
        if scalar.value is None:
            return RepairKind.NULL_WORD
        is_quoted = not isinstance(value.held, Bare)
        if isinstance(value.held, str) and value.held.strip(BLANK) != value.held:
            return RepairKind.VALUE_RESPELLED
        other = is_quoted if node.kind in _TYPED else node.kind == "enum" and not (self.is_yaml and not is_quoted)
        return RepairKind.VALUE_RESPELLED if other and value.change is None else None

    def key(self, node: Node, key: Value, path: Path) -> str | None:
        written = name_of(key)
        scalar = read_key(node, "" if key.is_literal else written, written)
        if scalar.problem is not None:
            self.invalid((*path, written), f"the key is {scalar.problem}", key)
            return None
        spelt = written if isinstance(scalar.value, bool) or scalar.value is None else str(scalar.value)
        self.respelled(key, spelt, (*path, spelt))
        return spelt


def is_left_over(node: Node, text: str) -> bool:
    """Whether a text is what a prompt showed in its place, in XML or in a signature."""
    if text.startswith("["):
        return node.kind == "str" and is_placeholder(node, text)
    return text.endswith(")") and is_words(node, text)


def _is_choice(choice: Any, held: str) -> bool:
    """Whether a choice is what stands there, in its type too."""
    return choice_text(choice) == held and isinstance(choice, str) is not isinstance(held, Bare)
