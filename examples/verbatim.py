"""Code, HTML and Markdown inside a field come back to the character; nobody asks the model to escape them."""

from pydantic import BaseModel, Field

from structured_response import StructuredResponse


class Page(BaseModel):
    title: str = Field(description="The title of the page")
    html: str = Field(description="The body of the page as HTML")
    script: str = Field(description="The JavaScript of the page")


REPLY = """
<page>
    <title>Q&amp;A</title>
    <html><h1>Questions <em>&amp;</em> answers</h1>
<p>See <a href="/faq?a=1&amp;b=2">the FAQ</a>.</p></html>
    <script><![CDATA[
for (let i = 0; i < 3 && i < items.length; i++) {
    show(items[i]);
}
]]></script>
</page>
"""


def main() -> None:
    page = StructuredResponse.from_basemodel(Page).parse(REPLY).to_basemodel()
    print(page.title)  # text: its entities are decoded
    print(page.html)  # markup: it is somebody's HTML and stays as it is, &amp; included
    print(page.script)  # CDATA: taken literally, indentation kept


if __name__ == "__main__":
    main()
