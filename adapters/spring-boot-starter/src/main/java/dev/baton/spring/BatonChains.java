package dev.baton.spring;

import dev.baton.Chain;
import dev.baton.Deployment;
import dev.baton.RestartPolicy;
import dev.baton.RunningChain;
import dev.baton.SharedInlet;
import dev.baton.run.Limits;
import dev.baton.run.Loops;
import dev.baton.spring.BatonProperties.ChainSettings;
import dev.baton.status.ChainStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.SmartLifecycle;

/**
 * The application's chains while they run. They start in the order of their beans, before the web server, and stop in the same order after
 * it, each drains and stores in-flight messages; so a chain that feeds another one comes first. Stopped chains start again with the
 * application's lifecycle. Thread-safe.
 */
public final class BatonChains implements SmartLifecycle {
    /** Below the web server's, which is {@code DEFAULT_PHASE - 2048}: starts before it, stops after it. */
    public static final int PHASE = DEFAULT_PHASE - 4096;

    private static final Duration MAX_AGE = Duration.ofMillis(500);
    private static final int MAX_INLET_CAPACITY = 1 << 24; // that of RunningChain.sharedInlet
    // Spring's, which still writes while the JVM shuts down
    private static final Log LOG = LogFactory.getLog(BatonChains.class);

    private final BatonProperties properties;
    private final BatonTransports transports;
    private final Loops loops;
    private final KafkaEnds kafkaEnds; // null: baton-kafka-connectors is not there
    private final ObjectProvider<Chain> chains; // resolved at the start, as their services may use this object
    private final ObjectProvider<ChainCustomizer> customizers;
    private final List<Instrument> instruments;

    private final Map<RunningChain, SharedInlet> inlets = new ConcurrentHashMap<>();
    private volatile Map<String, RunningChain> runs = Map.of();
    private volatile boolean isRunning;

    BatonChains(
            BatonProperties properties,
            BatonTransports transports,
            Loops loops,
            KafkaEnds kafkaEnds,
            ObjectProvider<Chain> chains,
            ObjectProvider<ChainCustomizer> customizers,
            List<Instrument> instruments) {
        Checked.notNegative("baton.shutdown-timeout", properties.shutdownTimeout());
        this.properties = properties;
        this.transports = transports;
        this.loops = loops;
        this.kafkaEnds = kafkaEnds;
        this.chains = chains;
        this.customizers = customizers;
        this.instruments = instruments;
        instruments.forEach(each -> each.loops(loops));
    }

    /**
     * {@return the inlet of a running chain, for any thread} Opened by the first call, which may block. With {@code baton.restart.enabled}
     * it continues across restarts, as described at {@link dev.baton.RunningChain#sharedInlet}.
     *
     * @param chain by its name
     * @throws IllegalArgumentException when there is no chain of that name
     * @throws IllegalStateException when the chain does not run, has another source or has partitions
     */
    public SharedInlet inlet(String chain) {
        RunningChain run = run(chain);
        return inlets.computeIfAbsent(
                run, opened -> run.sharedInlet(settings(chain).inletCapacity()));
    }

    /** {@return the status of each running chain, by its name; no older than half a second} May wait {@link ChainStatus#PATIENCE}. */
    public Map<String, ChainStatus> status() {
        Map<String, CompletableFuture<ChainStatus>> answers = new LinkedHashMap<>();
        ExecutorService asking = Executors.newCachedThreadPool(); // the common pool has one thread on a small host
        try {
            runs.forEach((chain, run) ->
                    answers.put(chain, CompletableFuture.supplyAsync(() -> run.status(MAX_AGE), asking)));
            Map<String, ChainStatus> all = new LinkedHashMap<>();
            answers.forEach((chain, answer) -> all.put(chain, answer.join()));
            return all;
        } finally {
            asking.shutdown();
        }
    }

    private RunningChain run(String chain) {
        RunningChain run = runs.get(chain);
        if (run != null) {
            return run;
        }
        Set<String> names = new TreeSet<>();
        chains.forEach(each -> names.add(each.name()));
        if (names.contains(chain)) {
            throw new IllegalStateException("chain '" + chain + "' does not run");
        }
        throw new IllegalArgumentException("there is no chain '" + chain + "'; there are " + names);
    }

    private ChainSettings settings(String chain) {
        return properties.chains().getOrDefault(chain, ChainSettings.DEFAULT);
    }

    @Override
    public synchronized void start() {
        if (isRunning) {
            return;
        }
        List<Chain> beans = chains.orderedStream().toList();
        checkNames(beans);
        Map<String, RunningChain> started = new LinkedHashMap<>();
        try {
            for (Chain each : beans) {
                start(each, started);
            }
        } catch (RuntimeException | Error failure) {
            close(started);
            throw failure;
        }
        runs = started;
        isRunning = true;
    }

    private void checkNames(List<Chain> beans) {
        Set<String> names = new TreeSet<>();
        for (Chain each : beans) {
            if (!names.add(each.name())) {
                throw new IllegalStateException(
                        "two chain beans have the name '" + each.name() + "'; rename one of them");
            }
        }
        for (String each : properties.chains().keySet()) {
            if (!names.contains(each)) {
                throw BatonTransports.invalid(
                        "baton.chains." + each, "", "there is no bean of a chain of this name; there are " + names);
            }
        }
    }

    private void start(Chain chain, Map<String, RunningChain> started) {
        String prefix = "baton.chains." + chain.name();
        ChainSettings settings = settings(chain.name());
        try {
            Deployment deployment = chain.on(transports.of(prefix + ".transport", settings.transport()))
                    .with(loops);
            int partitions = apply(prefix, settings, deployment);
            customizers.orderedStream().forEach(each -> each.customize(chain, deployment));
            instruments.forEach(each -> each.deployment(deployment));
            if (partitions > 0) {
                deployment.partitions(partitions);
            }
            if (settings.member() != null) {
                deployment.member(settings.member());
            }
            if (properties.restart().enabled()) {
                deployment.restart(restarts());
            }
            RunningChain run = deployment.start();
            started.put(chain.name(), run);
            instruments.forEach(each -> each.started(run));
            LOG.info("chain " + chain.name() + " runs on " + loops);
        } catch (InvalidConfigurationPropertyValueException invalid) {
            throw invalid; // names the property
        } catch (RuntimeException failure) {
            throw new ChainStartException(chain.name(), failure);
        }
    }

    /** Returns the number of partitions. */
    private int apply(String prefix, ChainSettings settings, Deployment deployment) {
        Checked.run(prefix + ".instance", settings.instance(), () -> deployment.instance(settings.instance()));
        if (settings.only() != null) {
            deployment.only(settings.only().toArray(String[]::new));
        }
        if (settings.batch() != null) {
            Checked.run(prefix + ".batch", settings.batch(), () -> deployment.batch(settings.batch()));
        }
        if (settings.inletCapacity() < 1 || settings.inletCapacity() > MAX_INLET_CAPACITY) {
            throw BatonTransports.invalid(
                    prefix + ".inlet-capacity",
                    settings.inletCapacity(),
                    "1 to " + MAX_INLET_CAPACITY + " messages are allowed");
        }
        int ofTopic = 0;
        if (settings.fromKafka() != null || settings.toKafka() != null) {
            if (kafkaEnds == null) {
                throw BatonTransports.invalid(
                        prefix + (settings.fromKafka() != null ? ".from-kafka" : ".to-kafka"),
                        settings.fromKafka() != null ? settings.fromKafka() : settings.toKafka(),
                        "plain Kafka topics need dev.baton:baton-kafka-connectors; add it");
            }
            ofTopic = kafkaEnds.apply(settings, deployment);
        }
        int partitions = settings.partitions() != null ? settings.partitions() : ofTopic;
        if (settings.partitions() != null && partitions < 1 || partitions > 1024) {
            throw BatonTransports.invalid(prefix + ".partitions", partitions, "1 to 1024 are allowed");
        }
        if (settings.member() != null && partitions == 0) {
            throw BatonTransports.invalid(
                    prefix + ".member", settings.member(), "a member shares partitions; set " + prefix + ".partitions");
        }
        return partitions;
    }

    private RestartPolicy restarts() {
        BatonProperties.Restarts restart = properties.restart();
        Duration first = restart.firstPause();
        Duration longest = restart.longestPause();
        Checked.run("baton.restart.first-pause", first, () -> RestartPolicy.backoff(first, first));
        return Checked.get("baton.restart.longest-pause", longest, () -> RestartPolicy.backoff(first, longest));
    }

    /** Drains and stores in-flight messages for {@code baton.shutdown-timeout} at most, then closes the chains. */
    @Override
    public synchronized void stop() {
        if (isRunning) {
            isRunning = false;
            Map<String, RunningChain> closing = runs;
            close(closing);
            runs = Map.of();
            inlets.clear();
        }
    }

    private void close(Map<String, RunningChain> closing) {
        long deadline = System.nanoTime() + Limits.nanos("shutdown timeout", properties.shutdownTimeout());
        Set<String> cut = Collections.synchronizedSet(new TreeSet<>());
        Map<String, RunningChain> late = new LinkedHashMap<>();
        closing.forEach((chain, run) -> {
            long left = deadline - System.nanoTime();
            if (left > 0) {
                close(chain, run, Duration.ofNanos(left), cut);
            } else {
                late.put(chain, run);
            }
        });
        closeAtOnce(late, cut);
        if (cut.isEmpty() && !closing.isEmpty()) {
            LOG.info("chains " + closing.keySet() + " are closed, all messages are drained");
        } else if (!cut.isEmpty()) {
            LOG.warn("chains " + cut
                    + " were closed with in-flight messages, or had failed; a durable transport keeps them for"
                    + " the next start");
        }
    }

    /** Closes chains for which no time is left together, as each waits for a moment for a callback that blocks its loop. */
    private static void closeAtOnce(Map<String, RunningChain> late, Set<String> cut) {
        ExecutorService closers = Executors.newCachedThreadPool();
        try {
            List<CompletableFuture<Void>> closes = new ArrayList<>();
            late.forEach((chain, run) ->
                    closes.add(CompletableFuture.runAsync(() -> close(chain, run, Duration.ZERO, cut), closers)));
            closes.forEach(CompletableFuture::join);
        } finally {
            closers.shutdown();
        }
    }

    private static void close(String chain, RunningChain run, Duration limit, Set<String> cut) {
        try {
            if (!run.close(limit)) {
                cut.add(chain);
            }
        } catch (RuntimeException atClose) {
            LOG.warn("chain " + chain + ": while closing", atClose);
        }
    }

    @Override
    public boolean isRunning() {
        return isRunning;
    }

    @Override
    public boolean isAutoStartup() {
        return properties.autoStart();
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
