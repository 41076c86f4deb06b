"""What is asked for: types, definitions and the plan that everything else runs on."""

from .build import add
from .fit import Measure, option_of
from .forms import FORMS, MARKED, choice_text, choices_by_text, has_form
from .gist import gist, says_something
from .names import ITEM_NAMES, Path, fold, is_near, is_xml_name, show_path, snake_case, spelling
from .node import ABSENT, CONSTRAINTS, KINDS, SCALARS, TEXTUAL, Field, Node, children, walk
from .numbers import MARK, is_same, restored, storable
from .placeholder import (
    KINDS_ASKED,
    asked_for,
    is_key_placeholder,
    is_placeholder,
    key_placeholder,
    names_a_place,
    placeholder,
    same_elements,
)
from .plain import coded_choice, from_base64, in_order, plain
from .plan import Plan, per_plan, plan_of_document, plan_of_schema, plan_of_type, shared_plan, to_json
from .plurals import singulars
from .schema import describe_type, type_name
from .select import Selection, kept, select
from .shapes import free_name, shape_key, shared_shapes
from .words import AS_IN, bounds_in_words, in_words, is_words, type_in_words, words_of

__all__ = [
    "ABSENT",
    "AS_IN",
    "CONSTRAINTS",
    "FORMS",
    "ITEM_NAMES",
    "KINDS",
    "KINDS_ASKED",
    "MARK",
    "MARKED",
    "SCALARS",
    "TEXTUAL",
    "Field",
    "Measure",
    "Node",
    "Path",
    "Plan",
    "Selection",
    "add",
    "asked_for",
    "bounds_in_words",
    "children",
    "choice_text",
    "choices_by_text",
    "coded_choice",
    "describe_type",
    "fold",
    "free_name",
    "from_base64",
    "gist",
    "has_form",
    "in_order",
    "in_words",
    "is_key_placeholder",
    "is_near",
    "is_placeholder",
    "is_same",
    "is_words",
    "is_xml_name",
    "kept",
    "key_placeholder",
    "names_a_place",
    "option_of",
    "per_plan",
    "placeholder",
    "plain",
    "plan_of_document",
    "plan_of_schema",
    "plan_of_type",
    "restored",
    "same_elements",
    "says_something",
    "select",
    "shape_key",
    "shared_plan",
    "shared_shapes",
    "show_path",
    "singulars",
    "snake_case",
    "spelling",
    "storable",
    "to_json",
    "type_in_words",
    "type_name",
    "walk",
    "words_of",
]
