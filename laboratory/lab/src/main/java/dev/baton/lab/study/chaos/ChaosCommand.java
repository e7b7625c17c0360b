package dev.baton.lab.study.chaos;

import dev.baton.chains.ProvidedChain;
import dev.baton.lab.command.LaboratoryCommand;
import dev.baton.lab.command.OutputOptions;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.launch.ExperimentFolder;
import dev.baton.lab.launch.Hosts;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.results.Headline;
import dev.baton.lab.study.chaos.ChaosPlan.StateKind;
import dev.baton.lab.study.chaos.audit.FailingService;
import dev.baton.lab.study.chaos.audit.NumberedMessage;
import dev.baton.lab.study.chaos.audit.WindowResults;
import dev.baton.lab.study.chaos.storage.StorageRun;
import dev.baton.lab.study.chaos.storage.SyncImage;
import dev.baton.operations.chains.ChainOptions;
import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.operations.options.TransportSettings;
import dev.baton.operations.service.ServicePlan;
import dev.baton.operations.settings.Secrets;
import dev.baton.operations.settings.Subject;
import dev.baton.operations.terminal.Units;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code baton chaos}: accounts for every message while processes, brokers and disks fail. */
@Command(
        name = "chaos",
        sortOptions = false,
        description = {
            "Injects faults drawn from a seed into a chain under load. Each service has its own process. Every topic is"
                    + " compared with what was sent.",
            "The chain has five services, a sender and a receiver. The fourth service sums seven messages at a time and"
                    + " holds its inputs until then; the second fails on every " + FailingService.EVERY
                    + "th message, which becomes a dead letter. With --chain the services are those of your chain, which"
                    + " has at most one output for each input and checks its own outputs; no topic is deleted.",
            "With --composed a branch reads every fifth message of the first service, a merge writes the outputs of chain"
                    + " and branch to one topic, and the receiver taps it. Branch and merge run in separate processes, and each"
                    + " edge is audited: the merge's topic contains each of its inputs once, in the order of each input. 'verify'"
                    + " must find no damage. No topic is deleted.",
            "Over aeron, whose topics keep no acknowledged message, no service fails, and the receiver's journal is compared"
                    + " with what was sent.",
            "flip-bit, lose-power and fail-sync kill a smaller chain, damage copies of its files, and open each copy:"
                    + " one bit of one file is flipped; only synced pages survive, and some others; syncs fail with EIO. A"
                    + " message that is lost without a report fails the run. The last two need a C compiler.",
            "After " + ChaosPlan.FAULTS_PER_LIFE + " faults or three minutes the chain is closed, audited and started"
                    + " again with empty topics, so a long run needs no more disk than a short one."
        },
        footer = {
            "",
            "Exit codes: 0 nothing lost, duplicated, reordered or altered, and every fault survived; 1 otherwise; 2 usage"
                    + " error; 3 the environment does not allow it; 4 inconclusive: some planned faults, or kinds that --kinds"
                    + " names, could not be injected, and no error was found; 130 interrupted, after an audit."
        })
@OptionGroup(Heading.LOAD)
public final class ChaosCommand extends LaboratoryCommand {
    private static final int SERVICES = 5;
    private static final int FEWEST_SERVICES = 2;

    /** The faults of the summing service, or of numbers in messages. */
    private static final Set<InjectedFault.Kind> OF_NUMBERS = Set.of(
            InjectedFault.Kind.KILL_HOLDING, InjectedFault.Kind.RESTART_HOLDING, InjectedFault.Kind.DELETE_TOPIC);

    /** Options that say where the queues, the brokers or the Archive are. */
    private static final List<String> OURS = List.of(Subject.DIRECTORY, Subject.BROKERS, "driver", "archive");

    private static final int MOST_FAULTS = 1_000_000;
    private static final int LEAST_QUICK_FAULTS = 8;
    private static final int MOST_RATE = 20_000;
    private static final int MOST_SEED = Integer.MAX_VALUE;
    private static final Duration LONGEST = Duration.ofDays(7);
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--transport",
            paramLabel = "NAME[,NAME...]",
            split = ",",
            hideParamSyntax = true,
            defaultValue = "chronicle,kafka,kafka3",
            description = {
                "transports (default: ${DEFAULT-VALUE})",
                "chronicle; aeron-archive: one media driver with an Archive; aeron-archive-udp: the same over UDP with 1 %% of the packets lost; kafka: one broker; kafka3: three brokers with three replicas of which two confirm; kafka-hosts: the same, with brokers and processes on three hosts, which are network namespaces and need root; aeron: IPC over one media driver, which is not killed; or another transport that survives a process and crosses processes"
            })
    private List<String> transports;

    @OptionGroup(Heading.WHERE)
    @Option(
            names = "-o",
            paramLabel = "KEY=VALUE",
            description = {
                "an option of a transport (repeatable)",
                "such as the address of a running server, on which no topics of the chain may exist; each time the chain has been closed and audited, the run deletes the topics that it has created"
            })
    private List<String> settings = new ArrayList<>();

    @Option(
            names = "--faults",
            paramLabel = "N",
            description = {
                "faults for each transport (default: 25)",
                "1 to 1000000; with --quick one of each kind, at least 8"
            })
    private BigDecimal faults;

    @Option(
            names = "--kinds",
            paramLabel = "KIND[,KIND...]",
            split = ",",
            hideParamSyntax = true,
            description = {
                "kinds of faults (default: all that are possible)",
                "processes and files: kill-service, kill-pair (two neighbouring services), kill-sender, kill-receiver, pause, kill-broker, kill-archive, torn-frame, full-disk, kill-holding, restart-holding, rival-receiver, rolling-update, delete-topic, kill-branch, kill-merge; kill-holding and restart-holding: SIGKILL or SIGTERM of the service that holds its inputs; rival-receiver: a second receiver",
                "the network in front of brokers: reset-connections, stall-network, delay-network (100 ms), lose-packets (1 %%), cut-clients, cut-brokers",
                "hosts: lose-host, cut-host, slow-host (8 Mbit/s), part-hosts",
                "the files of a killed chain, in a run without others: flip-bit, lose-power, fail-sync"
            })
    private List<String> kinds;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = {"the same seed draws the same faults (default: random)", "a random seed is printed"})
    private BigDecimal seed;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "1000",
            description = "messages per second, 1 to 20000 (default: ${DEFAULT-VALUE})")
    private BigDecimal rate;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = {"time in which faults begin (default: no limit)", "for each transport, 1s to 168h"})
    private Duration duration;

    @Option(names = "--quick", description = "a short run of some minutes: few faults, short pauses")
    private boolean isQuick;

    @Option(
            names = "--state",
            paramLabel = "WHAT",
            arity = "0..1",
            defaultValue = "none",
            fallbackValue = "sums",
            description = {
                "snapshots of state: none, sums or window (default: none)",
                "twice a second; sums (also --state without a value): the service that sums saves its state instead of holding"
                        + " its inputs; window: a sliding window of " + WindowResults.STEPS + " steps over "
                        + WindowResults.KEYS + " keys replaces that service, its outputs are compared with those of an"
                        + " undisturbed window, and no topic is deleted"
            })
    private String state;

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--composed",
            description = {"add a branch, and a merge of both ends", "each in a process"})
    private boolean isComposed;

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--requests",
            description = {
                "messages are requests, whose replies the sender checks",
                "with --chain; one output for each message"
            })
    private boolean asks;

    @Option(names = "--checksums", description = "frames have checksums; for faults of storage")
    private boolean hasChecksums;

    @Mixin
    private ChainOptions chains;

    @Mixin
    private OutputOptions output;

    public ChaosCommand(Console console, Workbench bench) {
        super(console, bench);
    }

    @Override
    public Integer call() {
        KnownTransports known = KnownTransports.onClassPath();
        List<SetUp> setUps = transports.stream()
                .map(typed -> SetUp.typed(typed, known))
                .distinct()
                .toList();
        TransportSettings settings = new TransportSettings(
                this.settings,
                null,
                known.select(
                        setUps.stream().map(setUp -> setUp.transport).distinct().toList()),
                known);
        List<InjectedFault.Kind> asked = kinds == null
                ? Stream.of(InjectedFault.Kind.values())
                        .filter(kind -> !kind.isOfStorage())
                        .toList()
                : kinds.stream()
                        .map(typed -> Checks.named("--kinds", typed, "not a kind of fault", InjectedFault.Kind.class))
                        .distinct()
                        .toList();
        long drawn = seed == null ? new Random().nextInt(MOST_SEED) : Checks.integer("--seed", seed, 0, MOST_SEED);
        StateKind saved = Checks.named("--state", state, "not a kind of service", StateKind.class);
        NamedChain named = chains.choose();
        ProvidedChain provided = named == null ? null : named.openMeasurable();
        Checks.require(
                named == null || saved == StateKind.NONE,
                "--state is for the chain without --chain; a service of yours saves its" + " state if it has one");
        Checks.require(named == null || !isComposed, "--composed is for the chain without --chain");
        Checks.require(saved != StateKind.WINDOW || !isComposed, "--composed is for sums, and not for --state window");
        Checks.require(
                !asks || provided != null && provided.outputs() == ProvidedChain.Outputs.ONE_EACH,
                "--requests needs --chain with a chain that sends one output for each message, such as accounts");
        requireAuditable(named, provided);
        Checks.require(
                named == null && !isComposed && saved == StateKind.NONE
                        || setUps.stream().noneMatch(SetUp::isVolatile),
                "--transport aeron goes without --chain, --composed and --state: its topics keep nothing that could be"
                        + " compared; omit them, or name another transport");
        boolean isOfStorage = asked.stream().anyMatch(InjectedFault.Kind::isOfStorage);
        Checks.require(isOfStorage || !hasChecksums, "--checksums is for --kinds flip-bit, lose-power and fail-sync");
        if (isOfStorage) {
            requireStorage(asked, setUps, named == null && !isComposed && saved == StateKind.NONE);
        }
        List<ChaosPlan> plans = setUps.stream()
                .map(setUp -> plan(
                        setUp,
                        settings.of(known.select(List.of(setUp.transport)).get(0)),
                        asked,
                        drawn,
                        saved,
                        named,
                        provided))
                .toList();
        long disk = plans.stream().mapToLong(ChaosPlan::diskBytes).max().orElseThrow();
        try (Workspace workspace = output.openWorkspace(bench.interruption(), disk, OutputOptions.temporary())) {
            return run(plans, workspace, drawn, disk);
        }
    }

    private static void requireStorage(List<InjectedFault.Kind> asked, List<SetUp> setUps, boolean isPlain) {
        String names = "--kinds flip-bit, lose-power and fail-sync";
        Checks.require(
                isPlain && asked.stream().allMatch(InjectedFault.Kind::isOfStorage),
                names + " damage the files of a chain of their own; they go with no other kind of fault, and not with"
                        + " --chain, --composed or --state");
        for (SetUp setUp : setUps) {
            Checks.require(
                    InjectedFault.Kind.FLIP_BIT.isPossible(setUp),
                    names + " are not made over " + setUp.name()
                            + (setUp.brokers > 0
                                    ? ": a broker acknowledges before it syncs and relies on its copies, and Baton"
                                            + " promises nothing for its files"
                                    : "")
                            + "; name --transport chronicle,aeron-archive");
        }
    }

    private static void requireAuditable(NamedChain named, ProvidedChain provided) {
        Checks.require(
                provided == null || provided.outputs() != ProvidedChain.Outputs.ANY,
                "--chain " + named
                        + ": an input may lead to several outputs; chains are audited that send one for each,"
                        + " or none");
        int services = provided == null ? SERVICES : provided.chain().services().size();
        Checks.require(
                services >= FEWEST_SERVICES && services <= ServicePlan.MOST_SERVICES,
                "--chain " + named + " has " + services + " services; " + FEWEST_SERVICES + " to "
                        + ServicePlan.MOST_SERVICES + " can be audited");
    }

    private ChaosPlan plan(
            SetUp setUp,
            Map<String, String> options,
            List<InjectedFault.Kind> asked,
            long drawn,
            StateKind saved,
            NamedChain named,
            ProvidedChain provided) {
        Predicate<InjectedFault.Kind> isPossible = kind -> kind.isPossible(setUp)
                && (named == null || !OF_NUMBERS.contains(kind))
                && (saved != StateKind.WINDOW || kind != InjectedFault.Kind.DELETE_TOPIC)
                && (isComposed ? kind != InjectedFault.Kind.DELETE_TOPIC : !kind.isOfComposition());
        List<InjectedFault.Kind> possible = asked.stream().filter(isPossible).toList();
        String there = Stream.of(InjectedFault.Kind.values())
                .filter(isPossible.and(kind -> !kind.isOfStorage()))
                .map(Checks::typed)
                .collect(Collectors.joining(", "));
        Checks.require(
                !possible.isEmpty(),
                "--kinds " + (kinds == null ? "" : String.join(",", kinds)) + " cannot happen over "
                        + setUp.name() + (named == null ? "" : " and --chain " + named.name())
                        + (isComposed ? " with --composed" : "")
                        + (saved == StateKind.WINDOW ? " with --state window" : "") + "; there: "
                        + there);
        requireNotOurs(setUp, options);
        if (duration != null) {
            Checks.time("--duration", duration, SHORTEST, LONGEST);
        }
        int quick = Math.max(LEAST_QUICK_FAULTS, possible.size());
        int usual = isQuick ? quick : ChaosPlan.FAULTS_PER_LIFE;
        return new ChaosPlan(
                setUp,
                options,
                provided == null ? SERVICES : provided.chain().services().size(),
                Checks.integer("--rate", rate, 1, MOST_RATE),
                drawn,
                possible,
                isQuick ? FaultSchedule.Times.QUICK : FaultSchedule.Times.USUAL,
                faults == null ? usual : Checks.integer("--faults", faults, 1, MOST_FAULTS),
                duration == null ? LONGEST : duration,
                ChaosPlan.RECOVERY_LIMIT,
                named,
                provided == null ? NumberedMessage.BYTES : provided.maxPayload(),
                saved,
                isComposed,
                asks);
    }

    private static void requireNotOurs(SetUp setUp, Map<String, String> options) {
        for (String key : OURS) {
            Checks.require(
                    setUp.hasForeignServer() || !options.containsKey(key),
                    "-o " + setUp.transport + "." + key + ": chaos sets it for what it starts itself");
        }
    }

    private int run(List<ChaosPlan> plans, Workspace workspace, long drawn, long disk) {
        List<String> remarks = new ArrayList<>();
        NamedChain named = plans.get(0).chain();
        if (named != null) {
            remarks.add("chain " + named);
        }
        Map<ChaosPlan, List<String>> omitted = new IdentityHashMap<>();
        List<ChaosPlan> allowed = new ArrayList<>();
        for (ChaosPlan plan : plans) {
            List<String> lacking = new ArrayList<>();
            ChaosPlan possible = allowed(plan, workspace, lacking);
            allowed.add(possible);
            omitted.put(possible, lacking);
            remarks.addAll(lacking);
        }
        ExperimentFolder folder = ExperimentFolder.in(output.out(), spec.name());
        List<String> typed =
                Secrets.redacted(spec.root().commandLine().getParseResult().originalArgs());
        folder.begin(typed, drawn, List.of());
        console.complain("baton: seed " + drawn + ", up to " + Units.bytes(disk) + " in " + workspace.path());
        remarks.forEach(each -> console.complain("baton: " + each));
        List<ChaosResult.Run> runs = new ArrayList<>();
        try (ChaosProgress progress = new ChaosProgress(console, folder.path())) {
            for (ChaosPlan plan : allowed) {
                if (!bench.interruption().isRequested()) {
                    BooleanSupplier isStopRequested = bench.interruption()::isRequested;
                    ChaosResult.Run run = plan.kinds().get(0).isOfStorage()
                            ? new StorageRun(plan, hasChecksums, workspace, isStopRequested, progress).run()
                            : new ChaosRun(plan, workspace, bench.brokers(), isStopRequested, progress).run();
                    // a kind that was named and is omitted was not tested; without --kinds only possible ones are asked
                    // for
                    runs.add(kinds == null ? run : run.inconclusiveFor(omitted.get(plan)));
                }
            }
        }
        int perSecond = allowed.get(0).rate();
        ChaosResult result =
                new ChaosResult(ChaosResult.SCHEMA, typed, repeat(plans, drawn), drawn, perSecond, runs, remarks);
        folder.end();
        folder.write(ChaosResult.FILE, result);
        folder.write(Headline.FILE, ChaosReport.headline(result));
        console.print(ChaosReport.lines(result, console.terminal()));
        console.print(List.of("files: " + folder.path()));
        output.tellKept(workspace, console);
        boolean isInterrupted = bench.interruption().isRequested();
        if (isInterrupted) {
            console.complain("baton: interrupted; the faults so far are audited");
        }
        int passed = result.isConclusive() ? ExitCode.OK : ExitCode.INCONCLUSIVE;
        return !result.hasPassed() ? ExitCode.FAILED : isInterrupted ? ExitCode.INTERRUPTED : passed;
    }

    /** Returns the plan without faults that this machine does not allow, each with a remark. */
    private static ChaosPlan allowed(ChaosPlan plan, Workspace workspace, List<String> remarks) {
        if (!plan.setUp().hasHosts()) {
            ChaosPlan synced = allowed(plan, InjectedFault.Kind.FAIL_SYNC, SyncImage::refusal, remarks);
            synced = allowed(synced, InjectedFault.Kind.LOSE_POWER, SyncImage::refusal, remarks);
            return allowed(synced, InjectedFault.Kind.FULL_DISK, () -> ChainGround.whyNoDisk(workspace), remarks);
        }
        String why = Hosts.refusal();
        if (why != null) {
            throw CommandException.environment("--transport " + plan.setUp().name()
                    + " needs root and iproute2, as it makes network namespaces (" + why + ")");
        }
        return allowed(plan, InjectedFault.Kind.LOSE_PACKETS, Hosts::refusalOfLoss, remarks);
    }

    private static ChaosPlan allowed(
            ChaosPlan plan, InjectedFault.Kind kind, Supplier<String> refusal, List<String> remarks) {
        String why = plan.kinds().contains(kind) ? refusal.get() : null;
        if (why == null) {
            return plan;
        }
        String remark = Checks.typed(kind) + " is omitted: this machine does not allow it (" + why + ")";
        if (plan.kinds().size() == 1) {
            throw CommandException.environment(remark);
        }
        remarks.add(remark);
        return plan.without(kind);
    }

    private static Map<String, String> settingsOf(List<ChaosPlan> plans) {
        Map<String, String> all = new TreeMap<>();
        plans.forEach(plan ->
                plan.options().forEach((key, value) -> all.put(plan.setUp().transport + "." + key, value)));
        return all;
    }

    private String repeat(List<ChaosPlan> plans, long drawn) {
        List<String> line = new ArrayList<>(List.of("./baton chaos --transport"));
        line.add(plans.stream().map(plan -> plan.setUp().name()).collect(Collectors.joining(",")));
        NamedChain named = plans.get(0).chain();
        line.add(named == null ? null : ChainOptions.CHAIN + " " + named.name());
        if (named != null) {
            named.redacted().options().forEach((key, value) -> line.add(ChainOptions.OPTION + " " + key + "=" + value));
        }
        Secrets.redacted(settingsOf(plans)).forEach((key, value) -> line.add("-o " + key + "=" + value));
        line.add("--seed " + drawn);
        line.add(isQuick ? "--quick" : null);
        line.add("none".equals(state) ? null : "--state " + state);
        line.add(isComposed ? "--composed" : null);
        line.add(asks ? "--requests" : null);
        line.add(hasChecksums ? "--checksums" : null);
        line.add(faults == null ? null : "--faults " + faults.toPlainString());
        line.add(kinds == null ? null : "--kinds " + String.join(",", kinds));
        line.add("--rate " + rate.toPlainString());
        line.add(duration == null ? null : "--duration " + Units.typed(duration));
        return line.stream().filter(Objects::nonNull).collect(Collectors.joining(" "));
    }
}
