package dev.baton.operations.service;

import dev.baton.Chain;
import dev.baton.operations.chains.ChainOptions;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.line.NumberConverter;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.operations.line.Subcommand;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.options.LoopOptions;
import dev.baton.operations.options.OneTransportOptions;
import dev.baton.operations.options.TransportSettings;
import dev.baton.operations.settings.Secrets;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.Guarantee;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code baton service}: runs some services of a chain in this process until it is stopped. */
@Command(
        name = "service",
        commandListHeading = "Operation",
        sortOptions = false,
        description = {
            "Runs services of a chain in this process until SIGTERM or Ctrl-C, and logs each change of its state.",
            "The chain is in a jar in BATON_CLASSPATH (--chain), or the built-in chain that forwards. Any number of processes"
                    + " share a chain, started in any order; each can be stopped, killed and started again. After a failure of"
                    + " the transport the services are opened again after a pause; an exception of a service ends the process. A"
                    + " second process for the same services is a standby."
        },
        footer = {
            "",
            "Exit codes: 0 ended on request, 1 a service has thrown an exception, 2 usage error, or a topic was replaced or is damaged,"
                    + " 3 the environment does not allow it: a port is in use, a login, certificate or permission is refused,"
                    + " or the group does not accept this member."
        })
@OptionGroup(Heading.RUNS)
public final class ServiceCommand extends Subcommand {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT);
    private static final Duration SHORTEST_SHUTDOWN = Duration.ofMillis(100);
    private static final Duration LONGEST_SHUTDOWN = Duration.ofMinutes(1);
    private static final Duration SHORTEST_WARNING = Duration.ofMinutes(1);
    private static final Duration LONGEST_WARNING = Duration.ofHours(8_760);
    private static final String LOOPBACK = "127.0.0.1";
    private static final int MOST_PORT = 65_535;
    private static final int USUAL_SERVICES = 5;
    private static final int MOST_SHOWN = 10;

    /** A warning for hosts in production. */
    private static final String STAND_IN =
            "WARNING: --chain forwarding is a stand-in that forwards every message as it is;"
                    + " services of yours run from a jar in BATON_CLASSPATH with --chain NAME";

    @Option(
            names = ChainOptions.CHAIN,
            paramLabel = "NAME",
            required = true,
            description = {
                "chain whose services run, such as orders; required",
                "one of a jar in BATON_CLASSPATH; or forwarding, for trying out transports, whose services forward each message unchanged; 'baton chains' lists them"
            })
    private String chainName;

    @Option(
            names = ChainOptions.OPTION,
            paramLabel = "KEY=VALUE",
            description = {"an option of the chain (repeatable)", "KEY=env:NAME takes its value from the environment"})
    private List<String> chainSettings = new ArrayList<>();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "name of the run, prefix of its topics (default: the chain's)")
    private String name;

    @Option(
            names = "--services",
            paramLabel = "N",
            description = {"services of the whole forwarding chain (default: 5)", "1 to 1000"})
    private BigDecimal services;

    @Option(
            names = "--only",
            paramLabel = "SERVICE",
            required = true,
            split = ",",
            description = {
                "services that run in this process; required",
                "names, or numbers from 1, separated by commas"
            })
    private List<String> only;

    @Option(
            names = "--instances",
            paramLabel = "N",
            defaultValue = "1",
            description = "chains, each with its own topics (default: ${DEFAULT-VALUE})")
    private BigDecimal instances;

    @Mixin
    private ShareOptions share;

    @Mixin
    private EdgeOptions edges;

    @Mixin
    private StartOptions start;

    @Mixin
    private OneTransportOptions transport;

    @OptionGroup(Heading.WHERE)
    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = {"directory of the topics; required for chronicle", "the same for all processes of the chain"
            })
    private Path directory;

    @Mixin
    private LoopOptions loops;

    @OptionGroup(Heading.WHERE)
    @Option(
            names = "--http",
            paramLabel = "[HOST:]PORT",
            description = {
                "answer GET /health on this port (default: no port)",
                "without a login; HOST is an address of this host (default: 127.0.0.1; 0.0.0.0: all), PORT 0 any free port. JMX shows the same as dev.baton:type=Chain"
            })
    private String http;

    @OptionGroup(Heading.EXPERT)
    @Option(
            names = "--shutdown-timeout",
            paramLabel = "TIME",
            defaultValue = "5s",
            description = "time to drain and store in-flight messages at an orderly stop, 100ms to 1m"
                    + " (default: ${DEFAULT-VALUE})")
    private Duration shutdownTimeout;

    @OptionGroup(Heading.EXPERT)
    @Option(
            names = "--disk-warning",
            paramLabel = "TIME",
            defaultValue = "24h",
            description =
                    "log a warning when the disk of the topics would be full within this time at the rate of the last hour, 1m to 8760h (default: ${DEFAULT-VALUE})")
    private Duration diskWarning;

    @Option(
            names = "--tied",
            hidden = true,
            description = "ends when its standard input ends, with the process that started it")
    private boolean isTied;

    @Override
    public Integer call() {
        ChosenTransport chosen = transport();
        NamedChain named = ChainOptions.choose(chainName, chainSettings);
        UsableDirectory.require(chosen.options().get(Subject.DIRECTORY));
        ServicePlan plan = plan(chosen, named);
        Checks.time("--disk-warning", diskWarning, SHORTEST_WARNING, LONGEST_WARNING);
        Checks.time("--shutdown-timeout", shutdownTimeout, SHORTEST_SHUTDOWN, LONGEST_SHUTDOWN);
        InetSocketAddress listening = http == null ? null : address(http);
        Secrets secrets = Secrets.in(Stream.concat(
                        plan.subject().options().entrySet().stream(),
                        named == null ? Stream.empty() : named.options().entrySet().stream())
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toList());
        Consumer<String> log =
                line -> console().print(List.of(TIME.format(LocalDateTime.now()) + " " + secrets.hiddenIn(line)));
        if (!isTied) {
            log.accept(named == null ? STAND_IN : "chain " + named);
        }
        ServiceProcess process =
                new ServiceProcess(plan, chosen.provider(), shutdownTimeout, isTied ? null : diskWarning, log);
        interruption().isOrdinaryEnd();
        interruption().hasToClose(() -> process.isOpening() ? shutdownTimeout : Interruption.LONGEST);
        interruption().stopping(process::stop);
        if (isTied) {
            interruption().requestAtEndOfInput("baton-service-parent");
        }
        HealthServer health = listening == null ? null : listen(listening, process, plan, log);
        try {
            Throwable gaveUp = process.run();
            if (process.wasCutOff()) {
                // not through the chain's logger: java.util.logging has ended itself already at SIGTERM
                String text = plan + " was stopped after " + shutdownTimeout.toMillis()
                        + " ms with in-flight messages; they remain in their topics, and the next start handles them";
                console().complain(secrets.hiddenIn(text));
            }
            return exitCode(gaveUp);
        } finally {
            if (health != null) {
                health.close();
            }
        }
    }

    /** Returns the exit code of a process that has ended; null: on request. */
    static int exitCode(Throwable gaveUp) {
        if (gaveUp == null) {
            return ExitCode.OK;
        }
        if (gaveUp instanceof IllegalArgumentException
                || gaveUp instanceof UnsupportedOperationException
                || gaveUp instanceof TopicMismatchException
                || gaveUp instanceof DamagedTopicException) {
            return ExitCode.USAGE;
        }
        return gaveUp instanceof TransportException ? ExitCode.ENVIRONMENT : ExitCode.FAILED;
    }

    private ChosenTransport transport() {
        ChosenTransport one = transport.choose(known());
        String name = one.provider().name();
        Checks.require(
                one.promises(Guarantee.CROSS_PROCESS),
                "--transport " + name
                        + " cannot run a chain in several processes; chronicle, kafka, aeron-archive, and aeron with"
                        + " -o driver=DIR can");
        boolean takesDirectory = TransportSettings.has(one.provider(), Subject.DIRECTORY);
        Checks.require(
                directory == null || takesDirectory, "--dir is for transports that keep files; " + name + " does not");
        Checks.require(
                !takesDirectory || directory != null || one.options().containsKey(Subject.DIRECTORY),
                "--dir is needed: the directory where " + name
                        + " keeps the topics, the same for all processes of the chain");
        Checks.require(
                directory == null || !one.options().containsKey(Subject.DIRECTORY),
                "--dir and -o dir=DIR are the same setting; omit one of them");
        return directory == null ? one : one.in(directory);
    }

    private ServicePlan plan(ChosenTransport chosen, NamedChain named) {
        Chain provided = named == null ? null : named.open().chain();
        Checks.require(
                provided == null || services == null,
                "--services is for --chain forwarding; the services of " + chainName + " are "
                        + (provided == null ? "" : String.join(", ", provided.services())));
        int count = services == null
                ? USUAL_SERVICES
                : Checks.integer("--services", services, 1, ServicePlan.MOST_SERVICES);
        Chain whole = ChainOptions.renamed(provided == null ? ForwardingChain.of(chainName, count) : provided, name);
        List<String> here = chosen(whole.services());
        int instanceCount = Checks.integer("--instances", instances, 1, ServicePlan.MOST_INSTANCES);
        ServicePlan.Sharing sharing = share.sharing();
        ServicePlan.Start beginning = start.start(instanceCount, sharing != null);
        List<String> inOrder = whole.services().stream().filter(here::contains).toList();
        Chain own = start.chain(whole, inOrder, instanceCount, sharing != null);
        return new ServicePlan(
                own,
                own == whole ? here : inOrder,
                instanceCount,
                new Subject(Subject.BATON, chosen.provider().name(), chosen.options()),
                loops.loops(Runtime.version().feature()),
                sharing,
                edges.choices(),
                edges.snapshots(),
                beginning);
    }

    /** Returns the names of the services that the command line gives by name or number. */
    private List<String> chosen(List<String> names) {
        int count = names.size();
        Checks.require(!only.isEmpty(), "--only names no service; 1 to " + count + ", separated by commas");
        List<String> here = new ArrayList<>();
        for (String each : only) {
            String service = names.contains(each) ? each : names.get(number(each, names) - 1);
            Checks.require(!here.contains(service), "--only names service " + each + " twice");
            here.add(service);
        }
        return here;
    }

    private static int number(String typed, List<String> names) {
        try {
            return Checks.integer("--only", new NumberConverter().convert(typed), 1, names.size());
        } catch (TypeConversionException noNumber) {
            List<String> shown = names.subList(0, Math.min(MOST_SHOWN, names.size()));
            throw CommandException.usage(
                    "--only '" + typed + "' is not a service of the chain; " + String.join(", ", shown)
                            + (shown.size() < names.size() ? " ..." : "") + ", or 1 to " + names.size(),
                    noNumber);
        }
    }

    /** Parses and resolves an address. */
    private static InetSocketAddress address(String typed) {
        int colon = typed.lastIndexOf(':');
        String host = colon < 0 ? LOOPBACK : typed.substring(0, colon);
        try {
            int port =
                    Checks.integer("--http", new NumberConverter().convert(typed.substring(colon + 1)), 0, MOST_PORT);
            InetSocketAddress address = new InetSocketAddress(host, port);
            Checks.require(
                    !host.isBlank() && !address.isUnresolved(),
                    "--http " + typed + ": host '" + host + "' is not known; write an address of this host");
            return address;
        } catch (TypeConversionException noPort) {
            throw CommandException.usage(
                    "--http " + typed + " is not an address; write PORT, or HOST:PORT such as 0.0.0.0:8080", noPort);
        }
    }

    private HealthServer listen(
            InetSocketAddress wanted, ServiceProcess process, ServicePlan plan, Consumer<String> log) {
        String host = wanted.getAddress().getHostAddress();
        try {
            HealthServer server = HealthServer.start(wanted, process::health);
            log.accept(plan + " answers http://" + host + ":" + server.port() + "/health");
            return server;
        } catch (IOException taken) {
            throw CommandException.environment(
                    "--http " + http + ": cannot listen on " + host + ":" + wanted.getPort() + ": " + taken.getMessage()
                            + "; name an address of this host, and a free port, or 0 for any",
                    taken);
        }
    }
}
