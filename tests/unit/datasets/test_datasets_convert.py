"""From one dataset's records to another's."""

from structured_response.datasets import autorag, examples_to_autorag, oasst, passages_to_documents, thread_to_dialogue
from structured_response.datasets.localrqa import DialogueTurn, Document, Example, RetrieverExample
from tests.datasets import small_tree

GOLD = Document(page_content="gold", metadata={"source": "s", "page": 1})
SAME = Document(page_content="gold", metadata={"source": "s", "page": 2})
OTHER = Document(page_content="gold", metadata={"source": "t"})
LOST = Document(page_content="lost")


def test_threads_are_dialogues() -> None:
    """The prompter is the user; a thread may be a record, or messages in a list."""
    thread = next(oasst.iter_threads(small_tree()))
    assert str(thread_to_dialogue(thread)) == "USER: A ASSISTANT: B</s>USER: C "
    assert thread_to_dialogue(thread.thread) == thread_to_dialogue(thread)


def test_examples_are_questions_and_a_corpus() -> None:
    """All gold documents are needed; each document stands in the corpus once, the negatives too."""
    qa, corpus = examples_to_autorag(
        [
            Example(question="q", gold_docs=[GOLD, OTHER], gold_answer="a", hard_neg_docs=[LOST]),
            Example(
                question="r",
                gold_docs=[SAME],
                gold_answer="b",
                chat_history=[DialogueTurn(speaker="USER", message="hi")],
            ),
            RetrieverExample(questions=["s", "t"], gold_docs=[LOST]),
        ]
    )
    ids = [passage.doc_id for passage in corpus]
    assert [(each.contents, each.path) for each in corpus] == [("gold", "s"), ("gold", "t"), ("lost", None)]
    assert corpus[0].metadata["page"] == 1
    assert len(set(ids)) == 3
    assert [(each.qid, each.query, each.retrieval_gt, each.generation_gt, each.model_extra) for each in qa] == [
        ("0", "q", [[ids[0]], [ids[1]]], ["a"], {}),
        ("1", "r", [[ids[0]]], ["b"], {"chat_history": "USER: hi "}),
        ("2", "s", [[ids[2]]], [], {}),
        ("3", "t", [[ids[2]]], [], {}),
    ]
    assert autorag.validate(qa, corpus) == []


def test_ids_are_the_same_every_time() -> None:
    """A document's id depends on source and text alone."""
    example = Example(question="q", gold_docs=[GOLD], gold_answer="a")
    assert examples_to_autorag([example])[1][0].doc_id == examples_to_autorag([example])[1][0].doc_id
    assert examples_to_autorag([example])[1][0].doc_id == "78632ac0-2841-5470-9349-73d717a3ac6d"


def test_passages_are_documents() -> None:
    """A passage's document knows its id, and its path as the source."""
    passages = [autorag.Passage(doc_id="a", contents="text", metadata={"page": 1}, path="p")]
    (document,) = passages_to_documents(passages)
    assert (document.page_content, document.fmt_content) == ("text", "Source: p\nContent:\ntext")
    assert document.metadata["doc_id"] == "a"
    assert document.metadata["page"] == 1
