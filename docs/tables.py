"""Writes the tables of the documents from the results that docs/measure has kept, and finds figures that no result has.

A page marks a table by <!-- measured: NAME --> and <!-- /measured -->. What lies between them is generated.
"""

import csv
import hashlib
import json
import re
from collections import defaultdict
from pathlib import Path

MOST_BYTES = 40_000_000  # of one machine's results
TRANSPORTS = ("disruptor", "chronicle", "aeron", "kafka")
NAMES = {"disruptor": "Disruptor", "chronicle": "Chronicle", "aeron": "Aeron IPC", "kafka": "Kafka", "agrona-ring": "bare ring"}
RATES = ("1k", "100k", "1m")
LATE = " *"
IN_WORDS = {"1k": "1,000/s", "100k": "100,000/s", "1m": "1,000,000/s"}

# --- Kept results ------------------------------------------------------------------------------------------------------


class Trial:
    """One trial of a kept row."""

    def __init__(self, file):
        self.json = json.loads(file.read_text())
        self.subject = self.json["plan"]["subject"]
        self.verdict = self.json["outcome"]["verdict"]

    def percentile(self, which, percentile):
        """A percentile as it is printed: in parentheses with fewer than 100 samples above it, "*" if the sender was late."""
        found = (self.json.get(which) or {}).get("percentiles") or []
        one = next((each for each in found if each["percentile"] == percentile), None)
        if one is None or not self.json[which]["count"]:
            return "-"
        text = duration(one["nanos"]) + (LATE if one.get("isSenderLate") else "")
        return "(%s)" % text if one["hasFewSamples"] else text

    def nanos(self, percentile, which="response"):
        return next(each["nanos"] for each in self.json[which]["percentiles"] if each["percentile"] == percentile)

    def rate(self):
        return self.json["rate"]["achievedPerSecond"]

    def cores(self):
        machine = self.json["machine"]
        return machine["jvmCpuCores"] + (machine["brokerCpuCores"] or 0)

    def chain_cores(self):
        """CPU of the chain, its JVM and the broker, without the thread that sends, which spins at some rates, and the probes."""
        machine = self.json["machine"]
        return self.cores() - ((machine.get("generator") or {}).get("cpuCores") or 0) - (machine["observersCpuCores"] or 0)

    def cpu_nanos(self):
        """CPU time per message without that of the sender, the broker's included."""
        return self.chain_cores() * 1e9 / self.rate() if self.rate() else None

    def verdict_in_words(self):
        return {"pass": "delivered", "fail": "**FAILED**", "inconclusive": "*inconclusive*"}.get(self.verdict, self.verdict)

    def name(self):
        return NAMES.get(self.subject["transport"], self.subject["transport"])


class Kept:
    """The results of one machine."""

    def __init__(self, folder):
        self.folder = folder
        if not (folder / "measured.json").is_file():
            raise SystemExit("%s has no results; measure there, or correct the page or the file that names it" % folder)
        self.index = json.loads((folder / "measured.json").read_text())["rows"]
        self.quoted = {}  # trials of the table that is being written, by file

    @staticmethod
    def of(results):
        """The machine whose figures the documents quote: the only one, or the one that results/quoted names."""
        chosen = results / "quoted"
        if chosen.is_file():
            return Kept(results / chosen.read_text().strip())
        found = sorted(results.glob("*/measured.json"))
        if len(found) > 1:
            raise SystemExit("several machines have results; write the name of the one that the documents quote to %s" % chosen)
        return Kept(found[0].parent) if found else None

    def trials(self, row):
        """The trials of a row in the order of their experiment; none if it was not measured."""
        file = self.folder / row / "experiment.json"
        if not file.is_file():
            return []
        listed = json.loads(file.read_text())["trials"]
        files = [self.folder / row / each["file"] for each in listed if each["file"]]
        self.quoted.update({file: Trial(file) for file in files if file not in self.quoted})
        return [self.quoted[file] for file in files]

    def find(self, row, transport, engine="baton"):
        return [each for each in self.trials(row) if each.subject["transport"] == transport and each.subject["engine"] == engine]

    def most_chains(self, row):
        """The largest number of chains that a search may try; 0 if it is not known."""
        said = re.search(r"at most ([\d,]+) chains", (self.folder / row / "output.txt").read_text())
        return int(said.group(1).replace(",", "")) if said else 0

    def why_missing(self, row):
        entry = self.index.get(row)
        return "not measured" if entry is None else "not measured: %s" % entry.get("failure", "it did not end in time")


# --- Words -------------------------------------------------------------------------------------------------------------


def digits(value):
    """Three significant digits."""
    if value >= 100:
        return "{:,.0f}".format(value)
    return "%.1f" % value if value >= 10 else "%.2f" % value


def duration(nanos):
    for size, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "us")):
        if nanos >= size:
            return "%s %s" % (digits(nanos / size), unit)
    return "%d ns" % nanos


def per_second(rate):
    return "%s million/s" % digits(rate / 1e6) if rate >= 1e6 else "{:,.0f}/s".format(float("%.3g" % rate))


def cpu(trial):
    nanos = trial.cpu_nanos()
    return "-" if nanos is None else duration(nanos)


def table(head, lines):
    rows = [head, ["---"] * len(head)] + lines
    return "\n".join("| %s |" % " | ".join(each) for each in rows)


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def spread(values, words):
    """The median, and the whole range."""
    if not values:
        return "-"
    return words(median(values)) if len(values) == 1 else "%s [%s .. %s]" % (words(median(values)), words(min(values)), words(max(values)))


def ranges(lines):
    """The words below a table that has medians of several trials."""
    return "Medians of the trials, and in brackets their whole range." if any("[" in cell for line in lines for cell in line) else ""


def verdicts(trials):
    """The words that differ, the best first."""
    return ", ".join(sorted({each.verdict_in_words() for each in trials}, key=lambda words: (words.startswith("*"), words)))


def source(kept):
    """Where a table's figures come from, and what disturbed them."""
    trials = list(kept.quoted.values())
    if not trials:
        return ""
    first = trials[0].json
    environment = first["environment"]
    text = "From `results/%s`: %s, %d cores, %s, Java %s" % (
        kept.folder.name, environment["cpuModel"], environment["processors"], environment["kernel"].split("-")[0],
        environment["jvm"]["version"].split("+")[0])
    doctor = kept.folder / "doctor.json"
    if environment["virtualisation"]:
        text += ", a shared or virtual machine"
    if doctor.is_file():
        text += ", graded %s by `./baton doctor`" % json.loads(doctor.read_text())["letter"]
    text += "; recorded for %s after %s of warm-up" % tuple(
        " to ".join("%g s" % float("%.3g" % (each / 1e9)) for each in (times if len(times) < 3 else [times[0], times[-1]]))
        for times in (sorted({each.json["span"][span] for each in trials}) for span in ("measureNanos", "warmupNanos")))
    systems = sorted({each.json["environment"]["fileSystem"] for each in trials if each.json["environment"]["fileSystem"]})
    if systems:
        text += "; files on %s" % " and ".join(systems)
    for transport in sorted({each.subject["transport"] for each in trials}):
        typed = [set(each.subject["options"].items()) for each in trials if each.subject["transport"] == transport]
        text += "".join(", `-o %s.%s=%s`" % (transport, *each) for each in sorted(set.intersection(*typed)))
    failed = sum(each.verdict == "fail" for each in trials)
    unclear = sum(each.verdict == "inconclusive" for each in trials)
    text += "; of %d trials %d failed and %d are inconclusive" % (len(trials), failed, unclear)
    others = max(each.json["machine"]["host"]["otherProcessesCores"] or 0 for each in trials)
    steal = max(each.json["machine"]["host"]["stealShare"] or 0 for each in trials)
    return text + "; other processes took up to %.2g of a core, and the hypervisor up to %.1f %% of the CPU time." % (others, 100 * steal)


def source_of(kept):
    """Where the figures of a benchmark come from, which has no trials."""
    machine = ""
    for file in sorted(kept.folder.glob("*/*.trial.json")):
        environment = json.loads(file.read_text())["environment"]
        machine = ": %s, %d cores" % (environment["cpuModel"], environment["processors"])
        break
    return "From `results/%s`%s." % (kept.folder.name, machine)


def reasons(trials):
    """Why trials failed or are inconclusive."""
    lines = []
    for rate, trial in trials:
        if trial.verdict != "pass":
            why = "; ".join(trial.json["outcome"]["reasons"][:2])
            lines.append("- %s%s: %s." % (trial.name(), " at " + rate if rate else "", why))
    return "\n".join(lines)


# --- Tables ------------------------------------------------------------------------------------------------------------


def latency(kept, payload, idle):
    lines, judged = [], []
    for rate in RATES:
        row = "transit-%s-%s-%s" % (rate, payload, idle)
        found = kept.trials(row)
        if not found:
            lines.append([IN_WORDS[rate], kept.why_missing(row)] + [""] * 8)
        order = list(TRANSPORTS) + ["agrona-ring"]
        for trial in sorted(found, key=lambda each: order.index(each.subject["transport"])):
            judged.append((IN_WORDS[rate], trial))
            lines.append([IN_WORDS[rate], trial.name() + ("" if trial.verdict == "pass" else " " + trial.verdict_in_words())]
                         + [trial.percentile("response", each) for each in (50.0, 99.0, 99.9, 99.99)]
                         + [trial.percentile("service", each) for each in (50.0, 99.9, 99.99)]
                         + [digits(trial.cores())])
    head = ["rate", "transport", "slot p50", "p99", "p99.9", "p99.99", "send p50", "p99.9", "p99.99", "cores"]
    return [table(head, lines), reasons(judged)]


def payloads(kept, rate):
    lines = []
    sizes = {"32": "32 bytes", "256": "256 bytes", "1344": "1,344 bytes"}
    known = [each for each in sizes if any(kept.trials("transit-%s-%s-%s" % (rate, each, idle)) for idle in ("spin", "default"))]
    for idle in "spin", "default":
        for transport in (*TRANSPORTS, "agrona-ring"):
            cells = []
            for payload in known:
                found = kept.find("transit-%s-%s-%s" % (rate, payload, idle), transport, "primitive" if transport == "agrona-ring" else "baton")
                cells.append("%s%s" % (found[0].percentile("response", 50.0),
                                       "" if found[0].verdict == "pass" else " " + found[0].verdict_in_words()) if found else None)
            if len(known) < 2 or any(cells[1:]):
                lines.append([idle, NAMES[transport], *(each or "not measured" for each in cells)])
    return [table(["idle", "transport", *(sizes[each] for each in known)], lines), "p50 from the slot."]


def durability(kept):
    lines = []
    for name, words in (("chronicle-process", "Chronicle, `durability=process`"), ("chronicle-host", "Chronicle, `durability=host`"),
                        ("kafka-leader", "Kafka, `acks=1`"), ("kafka-all", "Kafka, `acks=all`, one broker"),
                        ("kafka-replicated", "Kafka, `acks=all`, three brokers")):
        transport = name.split("-")[0]
        for payload in ("256", "1344"):
            rows = ["durability-%s-%s-%s" % (name, payload, load) for load in ("1k", "max")]
            slow, fast = ([kept.find(row, transport, engine) for engine in ("baton", "reference-cooperative")] for row in rows)
            if not all(slow + fast):
                lines.append([words, payload, next(filter(None, map(kept.why_missing, rows)))] + [""] * 6)
                continue
            lines.append([words, "{:,}".format(int(payload))]
                         + [spread([each.nanos(50.0) for each in side], duration) for side in slow]
                         + [spread([each.rate() for each in side], per_second) for side in fast]
                         + [spread([each.cpu_nanos() for each in side], duration) for side in fast]
                         + [verdicts(slow[0] + slow[1] + fast[0] + fast[1])])
    return [table(["class", "bytes", "p50 at 1,000/s: Baton", "loops", "saturated: Baton", "loops", "CPU per message: Baton", "loops",
                   "verdict"], lines), ranges(lines)]


def idle(kept):
    parts = {"CPU of a core, the loop and the threads of clients": lambda trial: trial.json["machine"].get("programCpuCores"),
             "CPU of a core, JVM and broker": Trial.chain_cores}
    trials = kept.trials("idle")
    strategies = list(dict.fromkeys(trial.json["plan"]["loops"]["idle"] for trial in trials))
    if not strategies:
        return [kept.why_missing("idle") + "."]
    tables = {}
    for head, cores in parts.items():
        if any(cores(trial) is None for trial in trials):
            continue  # measured before this was recorded
        cells = defaultdict(list)
        for trial in trials:
            cells[trial.json["plan"]["loops"]["idle"], trial.subject["transport"]].append(100 * cores(trial))
        tables[head] = [[each + (" (default)" if each == "backoff" else "")]
                        + [spread(cells[each, transport], lambda value: "%s %%" % digits(value)) for transport in TRANSPORTS]
                        for each in strategies]
    return [table([head] + [NAMES[each] for each in TRANSPORTS], lines) for head, lines in tables.items()] + [ranges(tables[head])]


def cooperative(kept):
    row = "cooperative-10k"
    lines = []
    for transport in TRANSPORTS:
        ours, theirs = kept.find(row, transport), kept.find(row, transport, "reference-cooperative")
        if not ours or not theirs:
            lines.append([NAMES[transport], kept.why_missing(row)] + [""] * 5)
            continue
        spent = [[each.cpu_nanos() for each in side if each.cpu_nanos()] for side in (ours, theirs)]
        middles = [[each.nanos(50.0) for each in side] for side in (ours, theirs)]
        lines.append([NAMES[transport], spread(spent[0], duration), spread(spent[1], duration),
                      "%.2f" % (median(spent[0]) / median(spent[1])) if all(spent) else "-",
                      spread(middles[0], duration), spread(middles[1], duration), "%.2f" % (median(middles[0]) / median(middles[1]))])
    return [table(["five services at 10,000/s", "CPU per message: Baton", "loops", "ratio", "p50: Baton", "loops", "ratio"], lines),
            ranges(lines)]


def saturated(kept):
    lines = []
    for transport in TRANSPORTS:
        cells = []
        for engine in "baton", "reference-cooperative":
            found = kept.find("saturated", transport, engine)
            if found:
                cells += [spread([each.rate() for each in found], per_second), spread([each.cpu_nanos() for each in found], duration),
                          verdicts(found)]
            else:
                cells += [kept.why_missing("saturated"), "", ""]
        lines.append([NAMES[transport], *cells])
    return [table(["five services", "Baton", "CPU per message", "verdict", "loops", "CPU per message", "verdict"], lines), ranges(lines)]


def transit(kept):
    """What Baton adds to the latency of one topic."""
    lines = []
    for transport in TRANSPORTS[:3]:
        sides = [kept.find("transit-loops", transport, engine) for engine in ("baton", "reference-cooperative")]
        if not all(sides):
            lines.append([NAMES[transport], kept.why_missing("transit-loops")] + [""] * 4)
            continue
        middles = [[each.nanos(50.0, "service") for each in side] for side in sides]
        lines.append([NAMES[transport], spread(middles[0], duration), verdicts(sides[0]), spread(middles[1], duration), verdicts(sides[1]),
                      "%.2f" % (median(middles[0]) / median(middles[1]))])
    return [table(["100,000/s, 256 bytes, spinning", "p50 from the send: Baton", "verdict", "loops", "verdict", "ratio"], lines), ranges(lines)]


def hops(kept):
    file = kept.folder / "hops" / "ratios.csv"
    if not file.is_file():
        return [kept.why_missing("hops") + "."]
    runs = defaultdict(list)
    with open(file, newline="") as opened:
        for each in csv.DictReader(opened):
            runs[each["hop"]].append(float(each["ratio"]))
    ratios = {hop: spread(values, lambda value: "%.2f" % value) for hop, values in runs.items()}
    lines = []
    for hop, words in [(each, NAMES[each]) for each in TRANSPORTS] + [("aeron shared", "Aeron IPC between processes")]:
        if hop + " x1" in ratios:
            lines.append([words] + [ratios["%s %s" % (hop, each)] for each in ("x1", "x16", "x1 cooperative", "x16 cooperative")])
    if "disruptor chain x1" in ratios:
        whole = [ratios["disruptor chain " + each] for each in ("x1", "x16")]
        lines.append(["Disruptor, a chain of five services with source and sink"] + ["-", "-"] + whole)
    return [table(["Baton's CPU time per hop / that of", "the library's calls, one message at a time", "the library's calls, 16 at a time",
                   "cooperative loops, one message at a time", "cooperative loops, 16 at a time"], lines), "Medians of the runs, and in brackets their whole range." if len(runs["disruptor x1"]) > 1 else "",
            source_of(kept)]


def checksums(kept):
    file = kept.folder / "checksums" / "output.txt"
    if not file.is_file():
        return [kept.why_missing("checksums") + "."]
    lines = []
    for line in file.read_text().splitlines():
        found = re.match(r" *(\d+) B +([\d.]+) ns +([\d.]+) ns +([\d.]+)  ([\d.]+) to ([\d.]+)$", line)
        if found:
            payload, without, using, ratio, least, most = found.groups()
            lines.append(["{:,} bytes".format(int(payload)), without + " ns", using + " ns", "%s [%s .. %s]" % (ratio, least, most)])
    return [table(["CPU time of a hop over Chronicle Queue", "without checksums", "with", "ratio"], lines), source_of(kept)]


def density(kept):
    lines = []
    for transport in TRANSPORTS:
        row = "density-" + transport
        if not kept.trials(row):
            lines.append([NAMES[transport], kept.why_missing(row)] + [""] * 3)
        for engine, words in (("baton", ""), ("reference-cooperative", ", hand-written loops")):
            sizes = [(each.json["plan"]["shape"]["instances"], each) for each in kept.find(row, transport, engine)]
            if not sizes:
                continue
            # As the search decides: a number whose trials disagree has passed if most of them have.
            lead = {size: sum({"pass": 1, "fail": -1}.get(trial.verdict, 0) for other, trial in sizes if other == size)
                    for size, _ in sizes}
            failed = {size for size, trial in sizes if trial.verdict == "fail" and lead[size] <= 0}
            bound = min(failed, default=None)
            number = max((size for size in lead if lead[size] > 0 and (bound is None or size < bound)), default=0)
            passed = [trial for size, trial in sizes if size == number and trial.verdict == "pass"]
            worst = max(passed, key=lambda each: each.nanos(99.9), default=None)
            answer = "{:,}" if kept.index[row]["exit"] == 0 else "({:,})"
            cells = [answer.format(number), worst.percentile("response", 99.9), duration(worst.cpu_nanos() / 6)] if worst else ["none", "", ""]
            if bound is not None:
                bound = "{:,}".format(bound)
            elif number == kept.most_chains(row):
                bound = "nothing: the machine allows no larger number"
            else:
                bound = "no larger number was run"
            lines.append([NAMES[transport] + words, *cells, bound])
    return [table(["transport", "chains that kept p99.9 < 100 ms", "p99.9 of all messages", "CPU per hop", "larger number that failed"], lines),
            "A number in parentheses is the largest one that passed a short trial of a search that was inconclusive; a latency in parentheses has fewer than 100 samples above it."]


MANY = 500  # chains that are opened one after the other, so that the start of the JVM matters little


def opening(kept):
    """How long a chain takes to open among many."""
    lines = []
    for transport in TRANSPORTS:
        sides = [[(each.json["plan"]["shape"]["instances"], each.json["span"]["openNanos"])
                  for each in kept.find("density-" + transport, transport, engine)] for engine in ("baton", "reference-cooperative")]
        sides = [[(chains, nanos / chains) for chains, nanos in side if chains >= MANY] for side in sides]
        if all(sides):
            lines.append([NAMES[transport]] + [cell for side in sides for cell in (
                "{:,} to {:,}".format(min(side)[0], max(side)[0]), spread([nanos for _, nanos in side], duration))])
    return [table(["to open a chain", "Baton: chains", "time for each", "hand-written loops: chains", "time for each"], lines), ranges(lines)]


# Over which baton chaos runs, and in which order tables list it.
SETUPS = ("chronicle", "kafka", "kafka3", "kafka-hosts", "aeron", "aeron-archive", "aeron-archive-udp")
ENDED = {0: "passed", 1: "**FAILED**", 4: "*inconclusive*"}
EVERYWHERE = {"--quick", "--checksums"}  # options of all runs of a table, which it does not repeat


def taken(typed, option):
    """Removes an option and its value, which is returned."""
    at = typed.index(option)
    value = typed[at + 1]
    del typed[at:at + 2]
    return value


def chaos(kept, begin):
    """The runs of baton chaos whose rows begin like this: a run's row, set-up, further options, and result."""
    found = []
    for row, entry in kept.index.items():
        file = kept.folder / row / "chaos.json"
        if row.startswith(begin) and file.is_file():
            typed = entry["arguments"][1:]
            over = taken(typed, "--transport")
            taken(typed, "--seed")
            taken(typed, "--faults")
            found.append((row, over, " ".join(each for each in typed if each not in EVERYWHERE), json.loads(file.read_text())["runs"][0]))
    return sorted(found, key=lambda each: (SETUPS.index(each[1]), each[0]))


def faults(kept):
    """Faults of processes, hosts and networks."""
    lines = []
    for row, over, options, run in chaos(kept, "faults-"):
        if row.startswith("faults-storage"):
            continue
        survived = sorted((each["recoveryNanos"], each["fault"]["kind"]) for each in run["faults"] if each["recoveryNanos"] > 0)  # 0: none
        sent = sum(max(each["topics"][0]["highest"], each["vouched"]) for each in run["accounts"])
        lines.append(["`%s`" % over, "`%s`" % options if options else "", "{:,}".format(len(run["faults"])), "{:,}".format(sent),
                      duration(median([nanos for nanos, _ in survived])) if survived else "-",
                      "%s (%s)" % (duration(survived[-1][0]), survived[-1][1].lower().replace("_", "-")) if survived else "-",
                      ENDED[kept.index[row]["exit"]]])
    return [table(["`--transport`", "further options", "faults", "messages sent", "recovery p50", "worst", "verdict"], lines)
            if lines else "Not measured.", source_of(kept)]


OUTCOMES = ("HARMLESS", "REPAIRED", "DETECTED", "ANNOUNCED", "UNRECORDED", "BROKEN", "UNCLEAR", "SILENT")


def storage(kept):
    """Faults of storage."""
    lines = []
    for row, over, options, run in chaos(kept, "faults-storage"):
        outcomes = [each["outcome"].upper() for each in run["storage"]]
        lines.append(["`%s`" % over, "`%s`" % options, "{:,}".format(len(outcomes))] + [str(outcomes.count(each)) for each in OUTCOMES]
                     + [ENDED[kept.index[row]["exit"]]])
    return [table(["`--transport`", "further options", "faults", *(each.lower() for each in OUTCOMES), "verdict"], lines)
            if lines else "Not measured.", source_of(kept)]


def chain(kept):
    """The first table that a reader sees."""
    trials = {each.subject["transport"]: each for each in kept.trials("chain-1k")}
    if not trials:
        return [kept.why_missing("chain-1k") + "."]
    lines = [["%s p%g" % (which, percentile)] + [trials[each].percentile(which, percentile) for each in trials]
             for which, percentile in (("response", 50.0), ("response", 99.0), ("service", 50.0))]
    lines.append(["CPU of a core: chain, JVM and broker"]
                 + ["%s %%" % digits(100 * each.chain_cores()) for each in trials.values()])
    lines.append(["verdict"] + [each.verdict_in_words() for each in trials.values()])
    return [table(["five services at 1,000/s, payload 0 B"] + [each.name() for each in trials.values()], lines)]


def output(kept, row):
    """What the terminal showed."""
    file = kept.folder / row / "output.txt"
    if not file.is_file():
        return [kept.why_missing(row) + "."]
    kept.trials(row)
    return ["```\n%s\n```" % file.read_text().rstrip()]


TABLES = {"latency": latency, "payloads": payloads, "durability": durability, "idle": idle, "cooperative": cooperative,
          "saturated": saturated, "transit": transit, "opening": opening, "hops": hops, "checksums": checksums, "density": density, "chain": chain,
          "output": output, "faults": faults, "storage": storage}
WITHOUT_TRIALS = ("hops", "checksums", "faults", "storage")
MARKED = re.compile(r"(<!-- measured: ([a-z0-9 -]+) -->\n)(.*?)(<!-- /measured -->)", re.S)


def generated(kept, name):
    if kept is None:
        return "No results are kept yet; `docs/measure` measures them.\n"
    words = name.split()
    if "on" in words:  # a machine other than that of the other tables
        other = kept.folder.parent / words[-1]
        if not (other / "measured.json").is_file():
            return "No results of `results/%s` are kept.\n" % words[-1]
        kept = Kept(other)
        words = words[: words.index("on")]
    kept.quoted = {}
    parts = TABLES[words[0]](kept, *words[1:])
    if not kept.quoted and words[0] not in WITHOUT_TRIALS:
        return "Not measured on `%s`.\n" % kept.folder.name
    if words[0] != "output" and any(LATE in each for each in parts):
        parts = [*parts, "\\*: more than a tenth of this response time passed before the message was sent."]
    return "\n\n".join(each for each in [*parts, source(kept)] if each) + "\n"


def with_tables(text, kept):
    """A page with its tables."""
    return MARKED.sub(lambda found: "%s\n%s\n%s" % (found.group(1), generated(kept, found.group(2)), found.group(4)), text)


# --- Figures without a result ------------------------------------------------------------------------------------------

# A figure with a unit and two or more significant digits comes from a measurement: settings and limits are round, or lie in code spans.
# Fenced blocks of docs/ show what commands print. README.md has no fenced output.
FIGURE = re.compile(r"(?<![\w.,-])(?:\d[\d,]*(?:\.\d+)?\s(?:ns|us|µs|ms|s)\b|\d[\d,]*(?:\.\d+)?(?:\smillion)?(?:\s(?:msg|messages))?/s\b"
                    r"|\d+\.\d+\s%|\d+\.\d\d\stimes\b)")


def is_round(figure):
    """One significant digit, such as 500 ms, or whole seconds."""
    number = re.match(r"[\d,.]+", figure).group(0).replace(",", "")
    if figure.endswith(" s") and "." not in number:
        return True
    return len(number.replace(".", "").strip("0")) <= 1


def unfounded(page, text):
    """The figures of a page outside of its tables and code spans that no result has."""
    blank = lambda found: "\n" * found.group(0).count("\n")
    prose = MARKED.sub(blank, text)
    if page != "README.md":
        prose = re.sub(r"^```.*?^```", blank, prose, flags=re.S | re.M)
    prose = re.sub(r"`[^`\n]+`", "`code`", prose)
    found = []
    for each in FIGURE.finditer(prose):
        if not is_round(each.group(0)):
            line = prose.count("\n", 0, each.start()) + 1
            found.append("%s:%d quotes '%s', which no kept result has" % (page, line, each.group(0)))
    return found


def pages(root):
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def changed(folder):
    """What is wrong with the files of one machine."""
    wrong = []
    if not (folder / "doctor.json").is_file():
        wrong.append("%s: has no doctor.json, and so no grade; run docs/measure on that machine" % folder)
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and file.name != "report.html")
    if size > MOST_BYTES:
        wrong.append("%s: has %d bytes, more than %d; measure with a shorter --window" % (folder, size, MOST_BYTES))
    for file in sorted(folder.glob("*/experiment.json")):
        for trial in json.loads(file.read_text())["trials"]:
            for name, expected in (trial["checksums"] or {}).items():
                there = file.parent / name
                if not there.is_file() or hashlib.sha256(there.read_bytes()).hexdigest() != expected:
                    wrong.append("%s: is missing or was changed after the measurement" % there)
    return wrong


def write(root):
    """Writes the tables of all pages; returns the pages that changed."""
    kept = Kept.of(root / "results")
    changed = []
    for page in pages(root):
        text = page.read_text()
        now = with_tables(text, kept)
        if now != text:
            page.write_text(now)
            changed.append(str(page.relative_to(root)))
    return changed


def check(root):
    """What is wrong: kept files that were changed, tables that differ from them, and figures that no result has."""
    kept = Kept.of(root / "results")
    wrong = []
    for index in sorted((root / "results").glob("*/measured.json")):
        wrong += changed(index.parent)
    for page in pages(root):
        text = page.read_text()
        name = str(page.relative_to(root))
        if with_tables(text, kept) != text:
            wrong.append("%s: a table differs from the kept results; run docs/measure --tables" % name)
        wrong += unfounded(name, text)
    return wrong
