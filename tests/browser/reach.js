// What keeps people from reading or reaching what the page shows now; a list of sentences, empty where nothing does.
const found = [];
const shown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
const words = (element) => `${element.tagName.toLowerCase()}${element.id ? "#" + element.id : ""}.${element.className} "${(element.innerText ?? "").trim().slice(0, 40)}"`;

// Contrast of each text with the ground behind it (WCAG 2.2, 1.4.3).
const parse = (colour) => {
  const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
  return { r, g, b, a };
};
const over = (front, back) => ({
  r: front.r * front.a + back.r * (1 - front.a),
  g: front.g * front.a + back.g * (1 - front.a),
  b: front.b * front.a + back.b * (1 - front.a),
  a: 1,
});
function ground(element) {
  const layers = [];
  for (let one = element; one; one = one.parentElement) {
    const colour = parse(getComputedStyle(one).backgroundColor);
    layers.push(colour);
    if (colour.a === 1) break;
    if (one.tagName === "DIALOG") layers.push({ r: 128, g: 128, b: 128, a: 1 });
  }
  const page = parse(getComputedStyle(document.documentElement).backgroundColor);
  return [...layers, page].reverse().reduce((back, front) => over(front, back));
}
const light = ({ r, g, b }) => {
  const [x, y, z] = [r, g, b].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
function ratio(one, other) {
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}
const open = document.querySelector("dialog[open]");
const scope = open ?? document.body; // what lies behind a dialog is nobody's to reach
const texts = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
let counted = 0;
while (texts.nextNode()) {
  const element = texts.currentNode.parentElement;
  if (!texts.currentNode.textContent.trim() || !shown(element) || element.closest(".unseen, noscript")) continue;
  const style = getComputedStyle(element);
  const size = parseFloat(style.fontSize);
  const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  const colour = parse(element.closest("svg") ? style.fill : style.color);
  const back = ground(element);
  const is = ratio(over(colour, back), back);
  counted += 1;
  if (is < (large ? 3 : 4.5)) found.push(`contrast ${is.toFixed(2)}: ${words(element)}`);
  if (size < 12) found.push(`letters of ${size} px: ${words(element)}`);
}
if (counted === 0) found.push("no text at all");

// Nothing to scroll sideways, nothing to tap that is smaller than a finger.
const wide = document.documentElement.clientWidth;
if (document.documentElement.scrollWidth > wide) found.push(`the page is ${document.documentElement.scrollWidth} px wide, the window ${wide}`);
for (const element of scope.querySelectorAll("button, a, input, select, summary, label.chip, label.option, label.upload")) {
  if (!shown(element) || element.closest("p")) continue; // a link within a sentence is as high as its line
  const box = (element.matches("input.unseen, input.option-input") ? element.closest("label") : element).getBoundingClientRect();
  if (box.width < 43.9 || box.height < 43.9) found.push(`${box.width.toFixed(0)} x ${box.height.toFixed(0)} px to tap: ${words(element)}`);
  if (box.left < -0.5 || box.right > wide + 0.5) found.push(`beyond the window's side: ${words(element)}`);
}
for (const element of scope.querySelectorAll("h1, h2, h3, p, li, td, legend, label, span, dt")) {
  if (!shown(element) || element.closest(".unseen, caption, .plays")) continue;
  const { overflowX, display } = getComputedStyle(element);
  if (overflowX === "visible" && display !== "inline" && element.scrollWidth > element.clientWidth + 1) found.push(`text beyond its place: ${words(element)}`);
}

// One main part, one heading of the first rank in it, no id twice.
const mains = [...document.querySelectorAll("main")].filter(shown);
if (mains.length !== 1) found.push(`${mains.length} main parts`);
if ([...document.querySelectorAll("h1, [id=codes-title], main h2")].filter((one) => shown(one)).length === 0) found.push("no heading");
const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
for (const id of new Set(ids.filter((one, at) => ids.indexOf(one) !== at))) found.push(`the id ${id} stands twice`);
for (const one of document.querySelectorAll("[aria-labelledby], [aria-controls], [aria-describedby]")) {
  for (const name of ["aria-labelledby", "aria-controls", "aria-describedby"]) {
    const id = one.getAttribute(name);
    if (id && !document.getElementById(id)) found.push(`${name} of ${words(one)} leads nowhere`);
  }
}
return found;
