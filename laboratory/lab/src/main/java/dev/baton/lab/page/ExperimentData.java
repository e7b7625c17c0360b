package dev.baton.lab.page;

import dev.baton.lab.reporting.Headlines;
import dev.baton.lab.reporting.HostTable;
import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.results.Experiment;
import dev.baton.lab.results.Grade;
import dev.baton.lab.results.Headline;
import dev.baton.lab.results.ReadExperiment;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.measuring.data.TrialEnvironment;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One experiment as a page shows it. Immutable, thread-safe.
 *
 * @param answers result
 * @param costs of chains; empty where they were not computed
 * @param origin when, from which source, with which seed
 * @param machine in one line, with its grade
 * @param runs transports, and their trials
 * @param grade of the machine; null when it was not determined
 * @param environment all known facts about it
 * @param ledger guarantees of each transport
 * @param matrix null when it was none
 * @param missing trials without a result
 */
record ExperimentData(
        String name,
        String asked,
        List<String> answers,
        List<Headline.Cost> costs,
        String command,
        List<Facts.Fact> origin,
        String machine,
        List<Facts.Fact> runs,
        Grade grade,
        List<Facts.Fact> environment,
        List<Promise> ledger,
        Grid matrix,
        List<String> missing,
        List<String> complaints,
        List<Link> files) {

    /** The guarantees of a transport in these trials. */
    record Promise(List<String> names, List<String> guarantees, List<Facts.Fact> facts) {}

    /** A file. @param href relative to the page */
    record Link(String name, String href) {
        /** The files in a folder that are not hidden, and no page. @param page where the page is or will be */
        static List<Link> of(Path folder, Path page) {
            try (Stream<Path> files = Files.list(folder)) {
                return files.filter(Files::isRegularFile)
                        .filter(file -> !file.getFileName().toString().startsWith("."))
                        .filter(file -> !file.getFileName().toString().endsWith(".html"))
                        .sorted()
                        .map(file -> new Link(file.getFileName().toString(), to(file, page)))
                        .toList();
            } catch (IOException unreadable) {
                return List.of(); // the reader has complained about it
            }
        }

        /** Returns the path from a page to a file: relative, so that both can be moved together. */
        static String to(Path file, Path page) {
            Path from = page.toAbsolutePath().normalize().getParent();
            Path target = file.toAbsolutePath().normalize();
            String relative = from.relativize(target).toString().replace('\\', '/');
            String rooted = relative.startsWith("../") ? relative : "./" + relative;
            try {
                return new URI(null, null, rooted, null).toASCIIString();
            } catch (URISyntaxException unlinkable) {
                return "";
            }
        }
    }

    /** Published figures for comparison, by the axis to which they belong. */
    record Elsewhere(String title, List<PublishedSeries> percentiles, List<PublishedSeries> capacity) {}

    /**
     * Collects the data.
     *
     * @param complaints all of them, the reader's included
     */
    static ExperimentData of(ReadExperiment read, Names names, List<String> complaints, Path page) {
        List<TrialResult> trials = read.trials();
        Experiment experiment = read.experiment();
        Headline headline = headline(read, names);
        return new ExperimentData(
                read.folder().toAbsolutePath().normalize().getFileName().toString(),
                headline.asked(),
                headline.answers(),
                headline.costs(),
                command(experiment),
                origin(experiment),
                trials.isEmpty() ? "" : Remarks.onMachine(trials.get(0).environment()),
                runs(trials, names),
                experiment == null ? null : experiment.grade(),
                Facts.of(
                        trials.isEmpty()
                                ? environment(experiment)
                                : trials.get(0).environment()),
                ledger(trials, names),
                names.isMatrix() && !trials.isEmpty() ? Grid.of(Grid.matrix(trials, names)) : null,
                missing(experiment),
                complaints,
                Link.of(read.folder(), page));
    }

    /** Returns the question and the answers: the stored ones, or else those of its trials. */
    static Headline headline(ReadExperiment read, Names names) {
        Optional<Headline> kept = Headline.in(read.folder());
        if (kept.isPresent()) {
            return kept.get();
        }
        if (read.trials().isEmpty()) {
            return new Headline(
                    command(read.experiment()),
                    read.experiment() != null && read.experiment().trials().isEmpty()
                            ? List.of()
                            : List.of("There is no readable result of a trial."));
        }
        if (names.isMatrix()) {
            return Grid.matrix(read.trials(), names).headline(asked(read));
        }
        return Headlines.of(read.trials(), names::of);
    }

    /** Returns the question of trials that repeat each other; that of trials with several loads or payloads is their command line. */
    private static String asked(ReadExperiment read) {
        long questions = read.trials().stream()
                .map(trial -> List.of(
                        trial.plan().shape(),
                        trial.plan().load().ratePerSecond(),
                        trial.plan().load().arrivals()))
                .distinct()
                .count();
        return questions > 1 && read.experiment() != null ? command(read.experiment()) : Headlines.asked(read.trials());
    }

    /** Returns the command line; empty when it is unknown. */
    static String command(Experiment experiment) {
        return experiment == null ? "" : "./baton " + String.join(" ", experiment.commandLine());
    }

    private static TrialEnvironment environment(Experiment experiment) {
        return experiment == null ? null : experiment.environment();
    }

    private static List<Facts.Fact> origin(Experiment experiment) {
        if (experiment == null) {
            return List.of();
        }
        List<Facts.Fact> facts = new ArrayList<>();
        boolean isEnded = experiment.endedAt() != null;
        Experiment.Revision revision = experiment.revision();
        add(facts, "started", experiment.startedAt());
        add(facts, "ended", isEnded ? experiment.endedAt() : "still running, or ended by force");
        add(facts, "Baton", experiment.version());
        if (revision != null) {
            String changes = revision.isDirty() ? ", with changes that are not committed" : "";
            add(facts, "revision", revision.commit() + changes);
        }
        add(facts, "seed", String.valueOf(experiment.seed()));
        add(facts, "self-test", experiment.selftest() == null ? "none recorded" : experiment.selftest());
        return facts;
    }

    private static void add(List<Facts.Fact> facts, String name, String value) {
        if (value != null) {
            facts.add(new Facts.Fact(name, value));
        }
    }

    private static List<Facts.Fact> runs(List<TrialResult> trials, Names names) {
        List<Facts.Fact> facts = new ArrayList<>();
        Map<String, Set<String>> runs = series(trials, names, Remarks::onEngine);
        runs.forEach((run, all) -> facts.add(new Facts.Fact(runs.size() == 1 ? "all" : String.join(", ", all), run)));
        for (TrialResult trial : trials) {
            trial.elsewhere()
                    .forEach(each -> facts.add(new Facts.Fact(HostTable.name(each), HostTable.sentence(each))));
        }
        return facts;
    }

    private static List<Promise> ledger(List<TrialResult> trials, Names names) {
        List<Promise> promises = new ArrayList<>();
        series(trials, names, trial -> placeless(trial.transport()))
                .forEach((facts, all) -> promises.add(new Promise(
                        List.copyOf(all),
                        facts.guarantees(),
                        facts.properties().entrySet().stream()
                                .map(fact -> new Facts.Fact(fact.getKey(), fact.getValue()))
                                .toList())));
        return promises;
    }

    /** The names of the trials that have something in common, by what that is. */
    private static <K> Map<K, Set<String>> series(List<TrialResult> trials, Names names, Function<TrialResult, K> key) {
        return trials.stream()
                .collect(Collectors.groupingBy(
                        key,
                        LinkedHashMap::new,
                        Collectors.mapping(names::series, Collectors.toCollection(LinkedHashSet::new))));
    }

    /** A directory that is another one for each trial promises nothing. */
    private static TransportProperties placeless(TransportProperties facts) {
        Map<String, String> kept = new LinkedHashMap<>(facts.properties());
        kept.replaceAll((name, value) -> value.replaceAll("\\bdir=[^ ,;]+", "dir=..."));
        return new TransportProperties(facts.name(), facts.guarantees(), kept);
    }

    private static List<String> missing(Experiment experiment) {
        return experiment == null
                ? List.of()
                : experiment.trials().stream()
                        .filter(entry -> entry.file() == null)
                        .map(Experiment.Entry::id)
                        .filter(Objects::nonNull)
                        .toList();
    }
}
