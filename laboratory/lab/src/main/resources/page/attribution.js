// What the slowest messages lived through, and where in the chain the time went.

const CAUSES = {
  gc: "garbage collection", safepoint: "safepoints", stopped: "process stopped", host: "machine stall",
  generator_without_cpu: "sender without CPU", generator_paced: "loop paused (latency budget)", generator_parked: "sender asleep", generator: "sender busy",
  queueing: "queueing behind earlier messages", unknown: "unknown",
};
const SHORT_CAUSES = { gc: "GC", safepoint: "safepoint", stopped: "stopped", host: "machine", generator_without_cpu: "no CPU", generator_paced: "pacing", generator_parked: "asleep", generator: "sender", queueing: "queueing", unknown: "unknown" };

const tailSection = (report) => {
  const trials = report.trials.filter((trial) => trial.tail && trial.tail.shares.length > 0);
  if (trials.length === 0) {
    return null;
  }
  return { element: el("div", {},
    el("p", { class: "soft" }, "The time of the slowest messages, by what happened meanwhile."),
    el("div", { class: "bars" }, trials.map((trial) => tailBar(trial))),
    tableOf("The same as a table", () => table("Causes of the tail, as shares of its time",
      ["trial", "above", "messages above", "analysed", ...Object.values(CAUSES)],
      trials.map(({ name, tail }) => [named(name), "p" + tail.percentile + ", " + time(tail.thresholdNanos), count(tail.messages), count(tail.joined),
        ...Object.keys(CAUSES).map((cause) => percent(tail.shares.find((share) => share.cause === cause)?.part ?? 0))])))) };
};

const tailWords = (tail) => "above p" + tail.percentile + " (" + time(tail.thresholdNanos) + "): "
  + tail.shares.filter((share) => share.part >= 0.005).map((share) => Math.round(share.part * 100) + " % " + (CAUSES[share.cause] || share.cause)).join(", ")
  + "; " + count(tail.joined) + " of " + count(tail.messages) + " messages analysed";

const tailBar = ({ name, tail }) => {
  const parts = tail.shares.filter((share) => share.part > 0).map((share) => {
    const part = el("span", { class: share.cause in CAUSES ? share.cause : "unknown", title: (CAUSES[share.cause] || share.cause) + " " + percent(share.part) });
    part.style.flex = share.part + " 1 0";
    const rounded = Math.round(share.part * 100) + " %";
    return { part, texts: [rounded + " " + (SHORT_CAUSES[share.cause] || share.cause), rounded] };
  });
  const stack = el("div", { class: "stack", role: "img", "aria-label": tailWords(tail) }, parts.map(({ part }) => part));
  new ResizeObserver(() => parts.forEach(({ part, texts }) => {
    part.textContent = texts.find((text) => textWidth(text, "600 12px") + 12 <= part.offsetWidth) ?? "";
  })).observe(stack);
  return [el("span", {}, named(name)), stack,
    el("span", { class: "words" }, tailWords(tail) + ".")];
};

const stageSection = (report) => {
  const trials = report.trials.filter((trial) => trial.stages.some((stage) => stage.samples > 0));
  if (trials.length === 0) {
    return null;
  }
  const body = el("div", {});
  const select = el("select", { id: "which-stages", onchange: () => show(Number(select.value)) },
    trials.map((trial, index) => el("option", { value: index }, trial.name)));
  const show = (index) => body.replaceChildren(drawnToWidth((width) => stageChart(trials[index], Math.min(768, width))), tableOf("The same as a table", () => stageTable(trials[index])));
  return {
    element: el("div", {}, el("p", { class: "soft" }, "Each bar reaches from the median to p99.9, with marks at p99 and, hollow, at the maximum. Blue: waiting in topics; orange: work of services; n/a: not measured, as the clock is read once for a batch, so both time stamps are the same."),
      el("div", { class: "tools" }, el("label", { for: "which-stages" }, "Trial"), select), body),
    draw: () => show(0),
  };
};

/** Messages of a batch may share one reading of the clock: what lies between two stamps of it cannot be told. */
const stageTime = (nanos) => nanos === 0 ? "n/a" : time(nanos);

const stageTable = (trial) => table("Time in each part of the chain", ["part", "samples", "not timed", "p50", "p99", "p99.9", "max"],
  trial.stages.map((stage) => [named(stage.name), count(stage.samples), count(stage.untimed), stageTime(stage.p50Nanos), stageTime(stage.p99Nanos), stageTime(stage.p999Nanos), stageTime(stage.maxNanos)]));

const stageChart = (trial, width) => {
  const stages = trial.stages.filter((stage) => stage.samples > 0);
  const short = (name) => (name.length > 18 ? name.slice(0, 17) + "\u2026" : name);
  const left = 14 + Math.max(...stages.map((stage) => textWidth(short(stage.name))));
  const height = stages.length * 26 + 34;
  const least = Math.max(1, Math.min(...stages.map((stage) => stage.p50Nanos))) * 0.8;
  const most = Math.max(...stages.map((stage) => stage.maxNanos)) * 1.2;
  const x = (nanos) => left + (Math.log(Math.max(nanos, least) / least) / Math.log(most / least)) * (width - left - 20);
  return svg("svg", { class: "chart stages", viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": "Time in each part of the chain; the table below has the same figures" },
    thinned(logTicks(least, most), Math.floor((width - left) / 55)).map((value) => [svg("line", { class: "rule", x1: x(value), x2: x(value), y1: 4, y2: height - 24 }),
      svg("text", { x: x(value), y: height - 8, "text-anchor": "middle" }, tick(value))]),
    stages.map((stage, row) => {
      const y = row * 26 + 18;
      return svg("g", { class: stage.kind === "service" ? "c1" : "c0" },
        svg("title", {}, stage.name + ": p50 " + stageTime(stage.p50Nanos) + ", p99 " + stageTime(stage.p99Nanos) + ", p99.9 " + stageTime(stage.p999Nanos) + ", max " + stageTime(stage.maxNanos)),
        svg("text", { class: "name", x: left - 10, y: y + 4, "text-anchor": "end" }, short(stage.name)),
        svg("line", { class: "way", x1: x(stage.p999Nanos), x2: x(stage.maxNanos), y1: y, y2: y, "stroke-dasharray": "2 3" }),
        svg("rect", { class: "mark", x: x(stage.p50Nanos), y: y - 6, width: Math.max(2, x(stage.p999Nanos) - x(stage.p50Nanos)), height: 12, "fill-opacity": stage.kind === "service" ? 0.9 : 0.35 }),
        svg("line", { class: "mark", x1: x(stage.p99Nanos), x2: x(stage.p99Nanos), y1: y - 9, y2: y + 9 }),
        svg("circle", { class: "mark hollow", cx: x(stage.maxNanos), cy: y, r: 4 }));
    }));
};
