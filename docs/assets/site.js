// A table or a block of code that scrolls can be reached and scrolled with the keyboard.
const reach = () => {
  for (const wide of document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset table, .md-typeset pre > code"))
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
};
addEventListener("load", () => {
  reach();
  new MutationObserver(reach).observe(document.body, { childList: true, subtree: true });
});
addEventListener("resize", reach);
document.fonts.addEventListener("loadingdone", reach); // a font changes how wide things are
