"""A reply that does not fit is never quietly wrong: every problem is named, and what was read is kept."""

from pydantic import BaseModel, Field

from structured_response import ReplyError, StructuredResponse


class Review(BaseModel):
    headline: str = Field(description="The review in one line")
    score: int = Field(ge=1, le=5, description="From 1 to 5")
    recommended: bool = Field(description="Whether to buy it")


BAD = "<review><headline>Nice</headline><score>9</score><recommended>Yes</recommended></review>"
GOOD = BAD.replace("9", "5")


def ask_a_language_model(prompt: str) -> str:
    """Here goes the call of your model. This one does better when it is told what was wrong."""
    return GOOD if "Mend" in prompt else BAD


def main() -> None:
    response = StructuredResponse.from_basemodel(Review)
    prompt = f"Review this lamp. Respond as instructed {response.to_prompt()}"
    reply = ask_a_language_model(prompt)
    try:
        review = response.parse(reply)
    except ReplyError as error:
        print(error)  # each path, what is wrong, and carets under the place
        if error.response is not None:
            print("read all the same:", error.response.instance.headline)
        faults = "\n".join(str(problem) for problem in error.problems)
        reply = ask_a_language_model(f"{prompt}\n\nYour answer was:\n{reply}\n\nMend this:\n{faults}")
        review = response.parse(reply)

    print(review.to_basemodel())
    for repair in review.repairs:  # "Yes" is no boolean, and that it was read as one is on record
        print(f"{repair.path}: {repair.before!r} was read as {repair.after!r}")


if __name__ == "__main__":
    main()
