package dev.baton.operations.replay;

import dev.baton.Chain;
import dev.baton.operations.chains.ChainOptions;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.ExitCode;
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
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
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
            "Each service is replayed alone, over its recorded input, with an empty state.",
            "Exit codes: 0 equal, 1 an output differs, 2 usage error, or no such topic, 3 cannot be opened, 130 interrupted."
        })
public final class ReplayCommand extends Subcommand {
    @Mixin
    private StoredTopics topics;

    @Option(
            names = ChainOptions.CHAIN,
            paramLabel = "NAME",
            required = true,
            description = "chain whose services run: one of a jar in BATON_CLASSPATH, such as orders, or forwarding")
    private String chainName;

    @Option(
            names = ChainOptions.OPTION,
            paramLabel = "KEY=VALUE",
            description = "an option of that chain; KEY=env:NAME takes its value from the environment (repeatable)")
    private List<String> chainSettings = new ArrayList<>();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "name of the recorded run, with which its topics' names begin (default: the chain's own)")
    private String name;

    @Option(names = "--only", paramLabel = "SERVICE", split = ",", description = "services to replay (default: all)")
    private List<String> only; // null: not given

    @Option(
            names = "--from",
            paramLabel = "SEQUENCE|TIME",
            description = "the first input, such as 4711 or 2026-03-01T09:30:00Z (default: the oldest)")
    private String from;

    @Option(names = "--until", paramLabel = "SEQUENCE|TIME", description = "the last input (default: the newest)")
    private String until;

    @Option(
            names = "--speed",
            paramLabel = "max|Nx",
            defaultValue = "max",
            description = "as fast as possible, or in the recorded time, such as 1x or 10x (default: ${DEFAULT-VALUE})")
    private String speed;

    @Option(
            names = "--against",
            paramLabel = "JAR",
            description = "another build of the chain: compare its outputs with those of the class path's, not with the"
                    + " recorded ones")
    private Path against;

    @Option(
            names = "--all",
            description = "count all differences by kind, instead of stopping at the first one of each service")
    private boolean isToTheEnd;

    @Option(names = "--json", description = "print the result as JSON")
    private boolean isJson;

    private ReplayRange range;
    private RecordedInput.Pace pace;

    @Override
    public Integer call() {
        range = ReplayRange.of(from, until);
        pace = pace();
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

    private RecordedInput.Pace pace() {
        if (speed.equals("max")) {
            return RecordedInput.Pace.MAX;
        }
        String number = speed.toLowerCase(Locale.ROOT).replaceFirst("x$", "");
        Checks.require(
                number.matches("[0-9]{1,6}(\\.[0-9]{1,6})?") && Double.parseDouble(number) > 0,
                "--speed '" + speed + "' is neither max nor a multiple of the recorded speed, such as 1x");
        return new RecordedInput.Pace(Double.parseDouble(number));
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
                !range.hasSequence() || services.size() == 1,
                "a sequence counts in one topic; name its service with --only, or give a time");
        List<ServiceReplay.Result> results = new ArrayList<>();
        for (String service : services) {
            for (Place place : places(chain, service, transport, chosen)) {
                if (!interruption().isRequested()) {
                    results.add(replay(chain, other, place));
                }
            }
        }
        String expected = against == null ? ReplayReport.RECORDED : ReplayReport.OTHER_BUILD;
        ReplayReport report = new ReplayReport(chain, results, transport, terminal(), expected, isToTheEnd);
        console().print(isJson ? report.json() : report.lines());
        if (interruption().isRequested()) {
            console().complain("baton: interrupted; the results so far are above");
            return ExitCode.INTERRUPTED;
        }
        return results.stream().allMatch(result -> result.difference() == null) ? ExitCode.OK : ExitCode.FAILED;
    }

    private ServiceReplay.Result replay(Chain chain, Chain other, Place place) {
        long end;
        try (TopicInspector inspector = place.transport().inspect(place.input())) {
            end = inspector.newestSequence();
        }
        long begun = System.nanoTime();
        try (StatusLine line = new StatusLine(console().err(), terminal())) {
            Consumer<RecordedInput> progress = input -> line.update(() -> progress(place.service(), input, end, begun));
            return new ServiceReplay(
                            chain,
                            other,
                            place,
                            range.until(end),
                            pace,
                            isToTheEnd,
                            progress,
                            interruption()::isRequested)
                    .run();
        }
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

    /** The topics of a service, of each partition. */
    private static List<Place> places(Chain chain, String service, Transport transport, Set<String> chosen) {
        int index = chain.services().indexOf(service);
        String input = chain.topic(0, index);
        String output = chain.topic(0, index + 1);
        List<Place> places = chosen.stream()
                .filter(topic -> PartitionTopic.base(topic).equals(input))
                .sorted()
                .map(topic -> new Place(
                        transport,
                        service,
                        topic,
                        output + topic.substring(PartitionTopic.base(topic).length())))
                .toList();
        for (Place place : places) {
            requireTopic(chosen, place.output(), service + " writes");
        }
        if (places.isEmpty()) {
            requireTopic(chosen, input, service + " reads");
        }
        return places;
    }

    private static void requireTopic(Set<String> chosen, String topic, String use) {
        if (!chosen.contains(topic)) {
            throw CommandException.environment("there is no topic '" + topic + "', which service " + use
                    + "; --name names another run, --only other services");
        }
    }
}
