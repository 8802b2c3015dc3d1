"use strict";
// Ties states, transitions and lines together: pointing at one shows what belongs to it, a click keeps that in sight.
(() => {
  document.documentElement.classList.add("script");
  const letGo = [];
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
  // What is marked is shown in each box but the one that somebody points into: the first of each box that `items` has.
  const revealAll = (items, pointed) => {
    const seen = new Set([pointed.closest(".scroll")]);
    for (const item of items) {
      const box = item.closest(".scroll");
      if (seen.has(box)) continue;
      seen.add(box);
      reveal(item);
    }
  };
  // Each chapter is by itself; its name stands before all names within.
  const tie = (chapter) => {
    const prefix = chapter.dataset.name;
    const all = (selector) => [...chapter.querySelectorAll(selector)];
    const byName = (name) => document.getElementById(prefix + name);
    const transitions = all("tr[data-from]");
    const ways = all(".way tr[data-transition]");
    const states = all("tr[data-state]");
    const stateOf = (node) => node.id.slice(prefix.length + "state".length);
    const gathered = (items, nameOf) => {
      const found = new Map();
      for (const item of items) found.set(nameOf(item), [...(found.get(nameOf(item)) || []), item]);
      return found;
    };
    const nodes = gathered(all(`.drawing .node[id^="${prefix}state"]`), stateOf);
    // An arrow goes by its own name if it has one, else by its ends.
    const endsOf = (edge) => edge.querySelector("title").textContent;
    const arrowOf = (edge) => edge.id.startsWith(`${prefix}arrow`) ? edge.id.slice(prefix.length) : endsOf(edge);
    const edges = gathered(all(".drawing .edge"), arrowOf);
    const arrowsOfRow = (row) => [row.dataset.arrow, `${row.dataset.from}->${row.dataset.to}`].filter(Boolean);
    const linesOf = (row) => (row.dataset.line || "").split(" ").filter(Boolean);
    const ofTransition = (row) => [
      row, ...ways.filter((way) => way.dataset.transition === row.dataset.transition),
      ...arrowsOfRow(row).flatMap((arrow) => edges.get(arrow) || []),
      ...linesOf(row).map((line) => document.getElementById(line)),
    ];
    const ofState = (state) => {
      const row = byName(`row-${state}`);
      return [...(row ? [row] : []), ...(nodes.get(state) || []), ...(row ? linesOf(row) : []).map((line) => document.getElementById(line))];
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
        const rows = transitions.filter((row) => arrowsOfRow(row).includes(arrowOf(edge)));
        return [[edge, ...rows.flatMap(ofTransition)], endsOf(edge).split("->").flatMap(ofState)];
      }
      const node = target.closest(".drawing .node");
      const state = node ? stateOf(node) : (target.closest("tr[data-state]") || {dataset: {}}).dataset.state;
      if (state !== undefined) return [ofState(state), leaving(state).flatMap(ofTransition)];
      const row = target.closest("tr[data-transition]");
      if (!row) return null;
      const whole = row.dataset.from ? row : transitions.find((other) => other.dataset.transition === row.dataset.transition);
      if (!whole) return [[row], []];
      const ends = [whole.dataset.from, whole.dataset.to].map(ofState);
      // A step of a run leads into a state.
      return row.closest(".run") ? [[...ends[1], ...ofTransition(whole)], ends[0]] : [ofTransition(whole), ends.flat()];
    };
    const clear = () => ["near", "chosen"].forEach((name) => all(`.${name}`).forEach((item) => item.classList.remove(name)));
    let kept = false;
    const show = (target) => {
      const found = meaning(target);
      clear();
      if (!found) return null;
      found[1].forEach((item) => item.classList.add("near"));
      found[0].forEach((item) => { item.classList.remove("near"); item.classList.add("chosen"); });
      return found[0];
    };
    const point = (event) => {
      if (kept) return;
      const found = show(event.target);
      if (found && event.target.closest(".run tr")) revealAll(found, event.target);
    };
    letGo.push(() => { kept = false; clear(); });
    chapter.addEventListener("mouseover", point);
    chapter.addEventListener("focusin", (event) => { if (event.target.closest("tr")) point(event); });
    chapter.addEventListener("click", (event) => {
      if (event.target.closest("button, summary")) return;
      const found = show(event.target);
      kept = Boolean(found);
      if (found) revealAll(found, event.target);
    });
    for (const pane of all(".picture")) zooming(pane);
    // Source begins where something happens, and not with what stands above all code.
    for (const box of all(".source .scroll")) {
      const first = box.querySelector("li.used");
      if (first) box.scrollTop = first.offsetTop - box.offsetTop - box.clientHeight / 3;
    }
  };
  const zooming = (pane) => {
    const drawing = pane.querySelector(".drawing svg");
    if (!drawing) return;
    const box = drawing.viewBox.baseVal;
    let scale = 1;
    const zoom = (to) => {
      scale = Math.min(4, Math.max(0.1, to));
      drawing.setAttribute("width", `${box.width * scale}pt`);
      drawing.setAttribute("height", `${box.height * scale}pt`);
    };
    // A picture that is folded away has no width yet.
    const fit = () => zoom(Math.min(1, ((drawing.parentElement.clientWidth || 1e6) - 20) * 0.75 / box.width));
    for (const button of pane.querySelectorAll("[data-zoom]"))
      button.addEventListener("click", () => {
        if (button.dataset.zoom === "fit") fit();
        else zoom(scale * (button.dataset.zoom === "in" ? 1.25 : 0.8));
      });
    fit();
  };
  document.querySelectorAll(".chapter").forEach(tie);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") letGo.forEach((each) => each()); });
  // What a link leads to, and what is printed, is not folded away.
  const unfold = (item) => { for (let at = item; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true; };
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link) unfold(document.getElementById(link.getAttribute("href").slice(1)));
  });
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(unfold));
})();
