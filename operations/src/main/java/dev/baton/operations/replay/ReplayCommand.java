package dev.baton.operations.replay;

import dev.baton.Chain;
import dev.baton.Serde;
import dev.baton.operations.chains.ChainOptions;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.operations.line.StatusLine;
import dev.baton.operations.line.Subcommand;
import dev.baton.operations.replay.ReplayedService.Place;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.verify.StoredTopics;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code baton replay}: recorded inputs through the services of a chain again. */
@Command(
        name = "replay",
        sortOptions = false,
        description = {
            "Runs the services of a chain over their recorded inputs again, with the recorded time as the clock, and compares"
                    + " their outputs with the recorded outputs: payload, type, key and cause. Changes and consumes nothing.",
            "Chronicle: a directory of topics. Kafka: the name of the chain's run, and --bootstrap-servers. Aeron Archive:"
                    + " that name, and -o driver=DIR."
        },
        footer = {
            "",
            "Each service is replayed over its recorded input, unless --feed new is given, and begins with an empty state.",
            "Exit codes: 0 equal, 1 an output differs, 2 usage error, 3 no such topic, or it cannot be opened, 130 interrupted."
        })
public final class ReplayCommand extends Subcommand {
    @Mixin
    private StoredTopics topics;

    @OptionGroup(Heading.RUNS)
    @Option(
            names = ChainOptions.CHAIN,
            paramLabel = "NAME",
            required = true,
            description = {
                "chain whose services run, such as orders; required",
                "one of a jar in BATON_CLASSPATH, or forwarding"
            })
    private String chainName;

    @OptionGroup(Heading.RUNS)
    @Option(
            names = ChainOptions.OPTION,
            paramLabel = "KEY=VALUE",
            description = {"an option of the chain (repeatable)", "KEY=env:NAME takes its value from the environment"})
    private List<String> chainSettings = new ArrayList<>();

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "name of the recorded run, prefix of its topics (default: the chain's)")
    private String name;

    @OptionGroup(Heading.RUNS)
    @Option(names = "--only", paramLabel = "SERVICE", split = ",", description = "services to replay (default: all)")
    private List<String> only; // null: not given

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--from",
            paramLabel = "SEQUENCE|TIME",
            description = {
                "the first input (default: the oldest)",
                "a sequence such as 4711, or a time such as 2026-03-01T09:30:00Z"
            })
    private String from;

    @OptionGroup(Heading.RUNS)
    @Option(names = "--until", paramLabel = "SEQUENCE|TIME", description = "the last input (default: the newest)")
    private String until;

    @Option(
            names = "--speed",
            paramLabel = "max|Nx",
            defaultValue = "max",
            description = "as fast as possible, or in the recorded time, such as 1x or 10x (default: ${DEFAULT-VALUE})")
    private String speed;

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--against",
            paramLabel = "JAR",
            description = {
                "another build of the chain, to compare with",
                "its outputs are compared with those of the build on the class path, not with the recorded ones"
            })
    private Path against;

    @Option(
            names = "--all",
            description = "count all differences by kind, instead of stopping at the first one of each service")
    private boolean isToTheEnd;

    @Option(
            names = "--feed",
            paramLabel = "recorded|new",
            defaultValue = "recorded",
            description =
                    "inputs of a service after another one: the recorded outputs of that service, or its new outputs,"
                            + " which shows the effects of a change on later services; new implies --all (default: ${DEFAULT-VALUE})")
    private String feedName;

    @Option(names = "--json", description = "print the result as JSON")
    private boolean isJson;

    private Replay.Feed feed;
    private ReplayRange range;
    private double speedFactor; // 0: as fast as possible

    @Override
    public Integer call() {
        range = ReplayRange.of(from, until);
        speedFactor = speedFactor();
        feed = Checks.named("--feed", feedName, "neither of the two", Replay.Feed.class);
        Checks.require(
                feed == Replay.Feed.RECORDED || against == null,
                "--feed new compares with the recorded outputs, --against with another build; choose one of both");
        isToTheEnd |= feed == Replay.Feed.NEW;
        checkNames();
        return topics.read(known(), this::replay);
    }

    /** Refuses names that are wrong whatever the topics contain, before it looks for topics. */
    private void checkNames() {
        Checks.require(only == null || !only.isEmpty(), "--only names no service");
        only = only == null ? List.of() : only;
        NamedChain named = ChainOptions.choose(chainName, chainSettings);
        Chain chain = ChainOptions.renamed(
                named == null ? ForwardingChain.of(chainName, 1) : named.open().chain(), name);
        if (named != null) {
            services(chain);
        }
        for (String each : only) {
            Checks.require(
                    each.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}"),
                    "--only '" + each + "' is not a name of a service");
        }
        if (against != null) {
            JarLoader.check(against);
        }
    }

    private double speedFactor() {
        if (speed.equals("max")) {
            return 0;
        }
        String number = speed.toLowerCase(Locale.ROOT).replaceFirst("x$", "");
        Checks.require(
                number.matches("[0-9]{1,6}(\\.[0-9]{1,6})?") && Double.parseDouble(number) > 0,
                "--speed '" + speed + "' is neither max nor a multiple of the recorded speed, such as 1x");
        return Double.parseDouble(number);
    }

    private int replay(Transport transport, Set<String> chosen) {
        if (against == null) {
            return replay(transport, chosen, null);
        }
        try (JarLoader loader = JarLoader.of(against)) {
            return replay(transport, chosen, loader.open(() -> chain(chosen)));
        } catch (IOException atClose) {
            throw CommandException.environment("--against " + against + ": " + atClose.getMessage(), atClose);
        }
    }

    private int replay(Transport transport, Set<String> chosen, Chain other) {
        Chain chain = chain(chosen);
        List<String> services = services(chain);
        Checks.require(
                !range.hasSequence() || services.size() == 1 || feed == Replay.Feed.NEW,
                "a sequence counts in one topic; name its service with --only, or give a time");
        Replay replay = Replay.of(chain)
                .only(services.toArray(String[]::new))
                .feed(feed)
                .decoding(codecs())
                .range(range)
                .against(other)
                .speed(speedFactor)
                .stopWhen(interruption()::isRequested);
        if (!isToTheEnd) {
            replay.firstOnly();
        }
        ReplayComparison comparison = replay(replay, transport, chosen);
        String expected = against == null ? ReplayReport.RECORDED : ReplayReport.OTHER_BUILD;
        ReplayReport report = new ReplayReport(chain, comparison, transport, terminal(), expected, isToTheEnd);
        console().print(isJson ? report.json() : report.lines());
        if (interruption().isRequested()) {
            console().complain("baton: interrupted; the results so far are above");
            return ExitCode.INTERRUPTED;
        }
        return comparison.isSame() ? ExitCode.OK : ExitCode.FAILED;
    }

    private ReplayComparison replay(Replay replay, Transport transport, Set<String> chosen) {
        Map<Place, Long> ends = new HashMap<>();
        long begun = System.nanoTime();
        try (StatusLine line = new StatusLine(console().err(), terminal())) {
            return replay.onProgress((place, input) -> line.update(
                            () -> progress(place.service(), input, ends.computeIfAbsent(place, this::newest), begun)))
                    .run(transport, chosen);
        }
    }

    private long newest(Place place) {
        try (TopicInspector inspector = place.transport().inspect(place.input())) {
            return inspector.newestSequence();
        }
    }

    private List<Serde<?>> codecs() {
        NamedChain named = ChainOptions.choose(chainName, chainSettings);
        return named == null ? List.of() : named.open().codecs();
    }

    private static String progress(String service, RecordedInput input, long end, long begun) {
        long passed = System.nanoTime() - begun;
        long last = input.consumed();
        long inputs = input.inputs();
        long left = inputs == 0 ? 0 : (long) ((double) passed / inputs * Math.max(0, end - last));
        return service + ": input " + Units.count(last) + " of " + Units.count(Math.max(last, end)) + ", "
                + Units.count((long) (inputs * 1e9 / passed)) + "/s, " + Units.clock(Duration.ofNanos(left)) + " left";
    }

    private Chain chain(Set<String> chosen) {
        NamedChain named = ChainOptions.choose(chainName, chainSettings);
        if (named != null) {
            return ChainOptions.renamed(named.open().chain(), name);
        }
        String run = name == null ? chainName : name;
        int services = 0;
        while (chosen.stream().map(PartitionTopic::base).toList().contains(run + "-" + (services + 1))) {
            services++;
        }
        Checks.require(
                services > 0, "there is no topic '" + run + "-1' here that the first service would have written");
        return ChainOptions.renamed(ForwardingChain.of(chainName, services), name);
    }

    private List<String> services(Chain chain) {
        for (String each : only) {
            Checks.require(
                    chain.services().contains(each),
                    "--only '" + each + "' is not a service of the chain; " + String.join(", ", chain.services()));
        }
        return only.isEmpty() ? chain.services() : only.stream().distinct().toList();
    }
}
