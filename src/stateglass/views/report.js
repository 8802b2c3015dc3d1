"use strict";
// Ties states, transitions and lines together: pointing at one shows what belongs to it, a click keeps that in sight.
(() => {
  const root = document.documentElement;
  root.classList.add("script");
  const all = (selector) => [...document.querySelectorAll(selector)];
  const drawing = document.querySelector(".drawing svg");
  const transitions = all("tr[data-from]");
  const ways = all(".way tr[data-transition]");
  const states = all("tr[data-state]");
  const nodes = new Map(all(".drawing .node[id^=state]").map((node) => [node.id.slice("state".length), node]));
  const edges = new Map();
  // An arrow goes by its own name if it has one, else by its ends.
  const arrowOf = (edge) => edge.id.startsWith("arrow") ? edge.id : edge.querySelector("title").textContent;
  const arrowOfRow = (row) => row.dataset.arrow || `${row.dataset.from}->${row.dataset.to}`;
  const linesOf = (row) => (row.dataset.line || "").split(" ").filter(Boolean);
  for (const edge of all(".drawing .edge")) edges.set(arrowOf(edge), [...(edges.get(arrowOf(edge)) || []), edge]);
  const ofTransition = (row) => [
    row, ...ways.filter((way) => way.dataset.transition === row.dataset.transition),
    ...(edges.get(arrowOfRow(row)) || []), ...linesOf(row).map((line) => document.getElementById(line)),
  ];
  const ofState = (state) => {
    const row = document.getElementById(`row-${state}`);
    const line = row && row.dataset.line;
    return [
      ...(row ? [row] : []), ...(nodes.has(state) ? [nodes.get(state)] : []),
      ...(line ? [document.getElementById(line)] : []),
    ];
  };
  const leaving = (state) => transitions.filter((row) => row.dataset.from === state);
  // What a thing on the page stands for: [what to mark strongly, what to mark as its neighbour].
  const meaning = (target) => {
    const line = target.closest("li.used");
    if (line) {
      const rows = transitions.filter((row) => linesOf(row).includes(line.id));
      const here = states.filter((row) => row.dataset.line === line.id);
      return [[line, ...rows.flatMap(ofTransition), ...here.flatMap((row) => ofState(row.dataset.state))], []];
    }
    const edge = target.closest(".drawing .edge");
    if (edge) {
      const rows = transitions.filter((row) => arrowOfRow(row) === arrowOf(edge));
      const ends = edge.querySelector("title").textContent.split("->");
      return [[edge, ...rows.flatMap(ofTransition)], ends.flatMap(ofState)];
    }
    const node = target.closest(".drawing .node");
    const state = node ? node.id.slice("state".length) : (target.closest("tr[data-state]") || {dataset: {}}).dataset.state;
    if (state !== undefined) return [ofState(state), leaving(state).flatMap(ofTransition)];
    const row = target.closest("tr[data-transition]");
    if (!row) return null;
    const whole = transitions.find((other) => other.dataset.transition === row.dataset.transition);
    return whole ? [ofTransition(whole), [whole.dataset.from, whole.dataset.to].flatMap(ofState)] : [[row], []];
  };
  const clear = (...names) => names.forEach((name) => all(`.${name}`).forEach((item) => item.classList.remove(name)));
  const reveal = (item) => {
    const box = item.closest(".scroll");
    if (!box) return;
    const inner = item.getBoundingClientRect(), outer = box.getBoundingClientRect();
    if (inner.top < outer.top || inner.bottom > outer.bottom)
      box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
    if (inner.width > outer.width) box.scrollLeft = 0;
    else if (inner.left < outer.left || inner.right > outer.right)
      box.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  };
  let kept = false;
  const show = (target) => {
    const found = meaning(target);
    clear("near", "chosen");
    if (!found) return false;
    found[1].forEach((item) => item.classList.add("near"));
    found[0].forEach((item) => { item.classList.remove("near"); item.classList.add("chosen"); });
    return found;
  };
  document.addEventListener("mouseover", (event) => { if (!kept) show(event.target); });
  document.addEventListener("focusin", (event) => { if (!kept && event.target.closest("tr")) show(event.target); });
  document.addEventListener("click", (event) => {
    if (event.target.closest("button")) return;
    const found = show(event.target);
    kept = Boolean(found);
    if (!found) return;
    const seen = new Set();
    const clicked = event.target.closest(".scroll");
    for (const item of found[0]) {
      const box = item.closest(".scroll");
      if (box === clicked || seen.has(box)) continue;
      seen.add(box);
      reveal(item);
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { kept = false; clear("near", "chosen"); }
  });
  if (!drawing) return;
  const box = drawing.viewBox.baseVal;
  let scale = 1;
  const zoom = (to) => {
    scale = Math.min(4, Math.max(0.1, to));
    drawing.setAttribute("width", `${box.width * scale}pt`);
    drawing.setAttribute("height", `${box.height * scale}pt`);
  };
  const fit = () => zoom(Math.min(1, (drawing.parentElement.clientWidth - 20) * 0.75 / box.width));
  for (const button of all("[data-zoom]"))
    button.addEventListener("click", () => {
      if (button.dataset.zoom === "fit") fit();
      else zoom(scale * (button.dataset.zoom === "in" ? 1.25 : 0.8));
    });
  fit();
})();
