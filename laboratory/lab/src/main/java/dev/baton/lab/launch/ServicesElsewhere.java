package dev.baton.lab.launch;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.lab.launch.PlannedTrial.Elsewhere;
import dev.baton.lab.protocol.Event;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.RemoteProcess;
import dev.baton.lab.results.ResourceUsage;
import dev.baton.lab.results.Second;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.Version;
import dev.baton.operations.service.HostFigures;
import dev.baton.operations.top.HealthClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/**
 * The processes that run a trial's services and were started elsewhere: checked before the trial, polled while it is measured, and not
 * changed afterwards. A separate thread polls them, so that a host without a response delays nothing. {@link #close} and {@link #figures}
 * belong to the thread that created it.
 */
final class ServicesElsewhere implements AutoCloseable {
    private static final long READY_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final long PAUSE_MILLIS = 100;
    private static final long INTERVAL_MILLIS = 500;
    private static final String RUNNING = "running";
    private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long UNKNOWN = -1;

    private final Map<String, HealthClient> clients = new LinkedHashMap<>();
    private final Map<String, JsonNode> answered = new LinkedHashMap<>(); // answers of before the measurement
    private final Map<String, JsonNode> first = new LinkedHashMap<>(); // guarded by this, as the next ones are
    private final Map<String, JsonNode> last = new LinkedHashMap<>();
    private final Map<String, List<Second>> timelines = new LinkedHashMap<>(); // empty: nothing is counted
    private final Map<String, JsonNode> counted = new LinkedHashMap<>(); // the answers of their last points
    private final long intervalNanos; // of the timelines; 0: there are none
    private final List<Long> pids = new ArrayList<>();
    private ScheduledExecutorService asking; // null until the measurement

    private ServicesElsewhere(Elsewhere elsewhere, long intervalNanos) {
        elsewhere.addresses().forEach(address -> clients.put(address, HealthClient.of(address)));
        this.intervalNanos = intervalNanos;
    }

    /**
     * Finds all services of the chain, ready. Waits for those that are starting, some seconds at most.
     *
     * @throws CommandException when one is missing, of another chain or build, or not ready; says which, and what to do
     */
    static ServicesElsewhere find(Elsewhere elsewhere, TrialPlan plan, BooleanSupplier isStopRequested)
            throws InterruptedException {
        Shape shape = plan.shape();
        int points = plan.study().points();
        ServicesElsewhere found = new ServicesElsewhere(
                elsewhere, points == 0 ? 0 : Math.max(LEAST_NANOS, plan.phases().measureNanos() / points));
        Set<String> missing = new LinkedHashSet<>(services(shape));
        long deadline = System.nanoTime() + READY_NANOS;
        for (Map.Entry<String, HealthClient> each : found.clients.entrySet()) {
            JsonNode health = ready(each.getKey(), each.getValue(), deadline, isStopRequested);
            require(each.getKey(), health, elsewhere, shape);
            found.answered.put(each.getKey(), health);
            if (health.path("state").asText().equals(RUNNING)) {
                health.path("runs").path("here").forEach(name -> missing.remove(name.asText()));
            }
            found.addLocal(health.path("host"));
        }
        if (!missing.isEmpty()) {
            throw CommandException.environment("no process of --services-elsewhere runs " + String.join(", ", missing)
                    + "; name the addresses of all processes of the chain");
        }
        return found;
    }

    private static List<String> services(Shape shape) {
        return shape.chain() == null
                ? IntStream.rangeClosed(1, shape.services())
                        .mapToObj(ForwardingChain::service)
                        .toList()
                : shape.chain().open().chain().services();
    }

    private static JsonNode ready(String address, HealthClient client, long deadline, BooleanSupplier isStopRequested)
            throws InterruptedException {
        while (true) {
            String problem;
            try {
                JsonNode health = client.ask();
                if (health.path("isHealthy").asBoolean()) {
                    return health;
                }
                problem = "it is " + health.path("state").asText() + ", not running"
                        + (health.hasNonNull("lastError")
                                ? ": " + health.path("lastError").asText()
                                : "");
            } catch (IOException unanswered) {
                problem = unanswered.getMessage();
            }
            if (System.nanoTime() - deadline >= 0 || isStopRequested.getAsBoolean()) {
                throw CommandException.environment("the services at " + address + " are not ready: " + problem);
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private static void require(String address, JsonNode health, Elsewhere elsewhere, Shape shape) {
        JsonNode runs = health.path("runs");
        String build = health.path("host").path("baton").asText("an earlier version");
        if (!build.equals(Version.ofBaton()) || !runs.isObject()) {
            throw CommandException.environment("the services at " + address + " are of Baton " + build
                    + ", and this is " + Version.ofBaton() + "; a measurement has one build");
        }
        String chain = runs.path("chain").asText();
        List<String> names = texts(runs.path("services"));
        int instances = runs.path("instances").asInt();
        if (!chain.equals(elsewhere.chain())) {
            throw CommandException.usage("the services at " + address + " run the chain " + chain + ", not "
                    + elsewhere.chain() + "; type --name " + chain + ", or other addresses");
        }
        if (!names.equals(services(shape))) {
            throw CommandException.usage("the services at " + address + " are of a chain of " + names.size() + ", "
                    + String.join(", ", names) + "; this command has " + shape.services()
                    + ": type the same --chain and --services");
        }
        if (instances != shape.instances()) {
            throw CommandException.usage("the services at " + address + " run " + instances
                    + " instances of the chain; type --instances " + instances);
        }
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    /** A process of this host belongs to the trial, and is no other process that disturbs it. */
    private void addLocal(JsonNode host) {
        long pid = host.path("pid").asLong();
        boolean isHere = HostFigures.hostName().equals(host.path("host").asText())
                && ProcessHandle.of(pid).isPresent();
        if (isHere) {
            pids.add(pid);
        }
    }

    /** {@return the ids of the processes on this host} */
    List<Long> pids() {
        return List.copyOf(pids);
    }

    /** Hands progress on, and asks all processes how they are while the trial is measured. */
    Consumer<Event.Progress> watching(Consumer<Event.Progress> next) {
        return progress -> {
            next.accept(progress);
            if (progress.phase() == Event.Phase.MEASURING) {
                begin();
            } else if (asking != null) {
                end();
            }
        };
    }

    private void begin() {
        if (asking != null) {
            return;
        }
        asking = Executors.newScheduledThreadPool(clients.size(), task -> {
            Thread made = new Thread(task, "baton-elsewhere");
            made.setDaemon(true);
            return made;
        });
        clients.forEach((address, client) ->
                asking.scheduleWithFixedDelay(() -> ask(address, client), 0, INTERVAL_MILLIS, TimeUnit.MILLISECONDS));
    }

    private void ask(String address, HealthClient client) {
        try {
            JsonNode health = client.ask();
            synchronized (this) {
                if (!asking.isShutdown()) {
                    JsonNode before = last.get(address);
                    boolean isSame = before != null && isSameProcess(before, health);
                    JsonNode begin = isSame ? first.get(address) : health;
                    first.put(address, begin);
                    last.put(address, health);
                    if (intervalNanos > 0) {
                        count(address, begin, health);
                    }
                }
            }
        } catch (IOException unanswered) {
            // the figures say how long the answers cover
        }
    }

    /**
     * Returns whether a process was not started again, as counters begin anew then, and so do its figures. In a container every process
     * may have the same number, so the time since the start decides as well.
     */
    private static boolean isSameProcess(JsonNode earlier, JsonNode now) {
        return earlier.path("host").path("pid").equals(now.path("host").path("pid")) && span(earlier, now) >= 0;
    }

    /** A point where the time for one has come; from the beginning again where the process was started again. */
    private void count(String address, JsonNode begin, JsonNode now) {
        List<Second> timeline = timelines.computeIfAbsent(address, each -> new ArrayList<>());
        if (begin == now) {
            timeline.clear();
            counted.put(address, now);
        }
        JsonNode before = counted.get(address);
        long up = span(begin, now);
        if (timeline.isEmpty() || up / intervalNanos > span(begin, before) / intervalNanos) {
            Double cores = cores(before, now, "cpuNanos", span(before, now));
            timeline.add(Second.ofProcess(up, cores, held(now.path("holds"))));
            counted.put(address, now);
        }
    }

    private static long span(JsonNode from, JsonNode to) {
        return to.path("host").path("upNanos").asLong()
                - from.path("host").path("upNanos").asLong();
    }

    private static ResourceUsage held(JsonNode holds) {
        return new ResourceUsage(
                known(holds, "anonymousBytes"),
                null,
                known(holds, "heapBytes"),
                known(holds, "directBytes"),
                known(holds, "descriptors"),
                null,
                known(holds, "threads"),
                null,
                null);
    }

    private static Long known(JsonNode figures, String name) {
        long value = figures.path(name).asLong(UNKNOWN);
        return value == UNKNOWN ? null : Long.valueOf(value);
    }

    private synchronized void end() {
        asking.shutdownNow();
    }

    /** {@return the use of each process meanwhile, in the order of the command line; over no time for one without a response} */
    synchronized List<RemoteProcess> figures() {
        return clients.keySet().stream()
                .map(address -> figures(
                        address,
                        first.getOrDefault(address, answered.get(address)),
                        last.getOrDefault(address, answered.get(address)),
                        timelines.getOrDefault(address, List.of())))
                .toList();
    }

    private static RemoteProcess figures(String address, JsonNode from, JsonNode to, List<Second> timeline) {
        JsonNode host = to.path("host");
        long span = span(from, to);
        long sweep = StreamSupport.stream(to.path("loops").spliterator(), false)
                .mapToLong(loop -> loop.path("longestSweepNanos").asLong(UNKNOWN))
                .max()
                .orElse(UNKNOWN);
        return new RemoteProcess(
                address,
                host.path("host").asText(),
                host.path("jvm").asText(),
                host.path("processors").asInt(),
                texts(to.path("runs").path("here")),
                span,
                cores(from, to, "cpuNanos", span),
                cores(from, to, "busyNanos", span),
                cores(from, to, "stolenNanos", span),
                handled(to) - handled(from),
                sweep == UNKNOWN ? null : Long.valueOf(sweep),
                to.path("restarts").asLong() - from.path("restarts").asLong(),
                to.path("backlog").asLong(UNKNOWN),
                timeline);
    }

    private static Double cores(JsonNode from, JsonNode to, String counter, long span) {
        long begin = from.path("host").path(counter).asLong(UNKNOWN);
        long end = to.path("host").path(counter).asLong(UNKNOWN);
        return begin == UNKNOWN || end == UNKNOWN || span <= 0 ? null : Double.valueOf((double) (end - begin) / span);
    }

    private static long handled(JsonNode health) {
        return StreamSupport.stream(health.path("parts").spliterator(), false)
                .mapToLong(
                        part -> Math.max(0, part.path("input").path("consumed").asLong()))
                .sum();
    }

    @Override
    public void close() {
        if (asking != null) {
            end();
        }
    }
}
