package dev.baton.lab.systems;

import dev.baton.lab.request.Place.Spread;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.measuring.Counter;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.ChainRig;
import dev.baton.measuring.rig.GeneratorThread;
import dev.baton.measuring.rig.MessageSink;
import dev.baton.measuring.rig.RigOutcome;
import dev.baton.measuring.rig.SourceSender;
import dev.baton.measuring.system.SystemUnderTest;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.ForeignJars;
import dev.baton.operations.terminal.Units;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Instances of a user's system, between a thread that sends for all of them and the threads of the system that call the
 * receivers. A message is an array of bytes: the slot (8), the send delay (4), a checksum of both (4), the payload. Called by the
 * trial's thread alone.
 */
public final class SystemRig extends RigOutcome implements ChainRig {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private static final int TAG = Long.BYTES;
    private static final int CHECKSUM = TAG + Integer.BYTES;
    private static final int PAYLOAD = CHECKSUM + Integer.BYTES;
    private static final long GOLDEN_RATIO = 0x9E37_79B9_7F4A_7C15L;

    private static final Duration OPEN_LIMIT = Duration.ofSeconds(60);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(15); // of all instances together
    private static final Duration LEAST_CLOSE = Duration.ofMillis(100);
    private static final Duration POLL_LIMIT = Duration.ofSeconds(2);
    private static final Duration AT_ONCE = Duration.ofMillis(1);
    private static final long CHECK_NANOS = 200_000;

    /** Longer than the longest stall of a host that was seen, 1.1 s. */
    private static final long REST_NANOS = 2_000_000_000L;

    private final SystemUnderTest system;
    private final SystemUnderTest wrapped;
    private final SystemUnderTest.Description description;
    private final Map<String, String> options;
    private final String unique = Spread.uniqueChain();
    private final GeneratorThread generators;
    private final Map<Integer, Line> running = new LinkedHashMap<>(); // by instance
    private boolean isStopped;

    /**
     * Creates the rig of a plan's system.
     *
     * @throws CommandException if the system is not on the class path
     */
    public SystemRig(PlacedTrial trial) {
        this(trial, UnaryOperator.identity());
    }

    /**
     * Creates the rig of a plan's system, which another one may wrap.
     *
     * @param around returns what is opened in the place of the system
     * @throws CommandException if the system is not on the class path
     */
    public SystemRig(PlacedTrial trial, UnaryOperator<SystemUnderTest> around) {
        system = ForeignSystem.named(trial.subject().transport()).system();
        description = system.describe();
        options = new TreeMap<>(description.options());
        options.putAll(trial.subject().options());
        wrapped = around.apply(system);
        generators = trial.plan().load().isSaturated()
                ? GeneratorThread.spinning(this::failed)
                : new GeneratorThread(this::failed);
    }

    @Override
    public TransportProperties properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        Path source = ForeignJars.source(system);
        properties.put("engine", "system: " + description.summary());
        properties.put("class", system.getClass().getName() + (source == null ? "" : " of " + source.getFileName()));
        properties.put(
                "threads", "one of the laboratory sends, one polls each instance that has no threads of its own");
        properties.putAll(description.properties());
        return new TransportProperties(description.name(), List.of(), properties);
    }

    @Override
    public void prepare(int instances) {}

    @Override
    public void start(ChainEnds ends) {
        Incoming incoming = new Incoming(ends);
        int bytes = PAYLOAD + ends.pattern().maxLength();
        SystemUnderTest.Setting setting =
                new SystemUnderTest.Setting(unique + "-" + ends.index(), Map.copyOf(options), bytes);
        SystemUnderTest.Instance instance;
        try {
            instance = within(OPEN_LIMIT, "open", () -> wrapped.open(setting, incoming));
        } catch (IllegalArgumentException refused) {
            throw CommandException.usage(
                    "cannot open system '" + description.name() + "'" + chosenOptions() + ": "
                            + (refused.getMessage() == null ? refused : refused.getMessage()),
                    refused);
        } catch (Exception | LinkageError failed) {
            throw CommandException.environment(cannotOpen(ends) + thrown("open", failed), failed);
        }
        if (instance == null) {
            throw CommandException.environment(cannotOpen(ends) + "open of " + ForeignJars.describe(system)
                    + " returned null; it returns the instance");
        }
        Outgoing outgoing = new Outgoing(instance, ends.pattern(), bytes);
        Line line = new Line(instance, outgoing, incoming);
        running.put(ends.index(), line);
        line.polling.start();
        generators.add(ends.index(), ends.generator(), outgoing, () -> {}, OPEN_LIMIT);
    }

    private String cannotOpen(ChainEnds ends) {
        return "cannot open instance " + (ends.index() + 1) + " of system '" + description.name() + "': ";
    }

    /** Calls a method of the system on another thread, as it may block for ever. */
    private <T> T within(Duration limit, String method, Callable<T> call) throws Exception {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task, "baton-lab-" + method);
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException thrown) {
            if (thrown.getCause() instanceof Error error) {
                throw error;
            }
            throw (Exception) thrown.getCause();
        } catch (TimeoutException late) {
            StackTraceElement[] stack = thread.getStackTrace();
            thread.interrupt();
            throw new SystemFailure(
                    method + " of " + ForeignJars.describe(system) + " has not returned for "
                            + Math.max(1, limit.toSeconds()) + " s"
                            + (stack.length == 0 ? "" : "; it is at " + stack[0]),
                    late);
        }
    }

    /** Returns what to say of an exception of the system. */
    private String thrown(String method, Throwable cause) {
        return cause instanceof SystemFailure
                ? cause.getMessage()
                : method + " of " + ForeignJars.describe(system) + " threw " + cause;
    }

    private SystemFailure failure(String method, Throwable cause) {
        return cause instanceof SystemFailure known ? known : new SystemFailure(thrown(method, cause), cause);
    }

    private String chosenOptions() {
        String chosen = options.entrySet().stream()
                .filter(each -> !each.getValue().equals(description.options().get(each.getKey())))
                .map(each -> ForeignSystem.OPTION + " " + each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining(" "));
        return chosen.isEmpty() ? "" : " with " + chosen;
    }

    @Override
    public List<Long> generatorTasks() {
        return List.of(generators.task());
    }

    @Override
    public void stop(Duration limit) {
        if (isStopped) {
            return;
        }
        isStopped = true;
        try {
            generators.close();
            running.forEach((index, line) -> line.outgoing.findFull(index));
        } catch (IllegalStateException blocked) {
            failed(
                    new SystemFailure(
                            "trySend of " + ForeignJars.describe(system)
                                    + " has not returned for 10 s; it returns false instead of blocking",
                            blocked),
                    ANY_INSTANCE);
        }
        long deadline = System.nanoTime() + limit.toNanos();
        running.forEach((index, line) -> {
            try {
                if (line.drain(deadline)) {
                    drained.add(index);
                } else if (limit.toNanos() >= REST_NANOS) {
                    waitedFor.add(index);
                }
            } catch (RuntimeException | LinkageError atDrain) { // the others are closed, and the trial is judged
                failed(failure("isDrained", atDrain), index);
            }
        });
        running.values().forEach(line -> line.isEnding = true); // one second for all threads, not for each
        long closed = System.nanoTime() + CLOSE_LIMIT.toNanos();
        running.forEach((index, line) -> {
            try {
                line.endPolling();
                Duration left = Duration.ofNanos(Math.max(LEAST_CLOSE.toNanos(), closed - System.nanoTime()));
                within(left, "close", () -> {
                    line.instance.close();
                    return null;
                });
            } catch (Exception | LinkageError atClose) {
                failed(failure("close", atClose), index);
            }
            line.incoming.isClosed = true;
        });
        running.clear();
    }

    @Override
    public void close() {
        stop(AT_ONCE);
    }

    private static int checksum(long origin, int tag) {
        return (int) ((origin * GOLDEN_RATIO + tag) * GOLDEN_RATIO >>> Integer.SIZE);
    }

    /** A failure of the system, described for a person. */
    private static final class SystemFailure extends RuntimeException {
        private static final long serialVersionUID = 1;

        SystemFailure(String message, Throwable cause) {
            super(message, cause);
        }

        @Override
        public String toString() {
            return getMessage();
        }
    }

    /** One instance with its two ends and the thread that polls it. */
    private final class Line {
        private final SystemUnderTest.Instance instance;
        private final Outgoing outgoing;
        private final Incoming incoming;
        private final Thread polling;
        private volatile boolean isEnding;

        Line(SystemUnderTest.Instance instance, Outgoing outgoing, Incoming incoming) {
            this.instance = instance;
            this.outgoing = outgoing;
            this.incoming = incoming;
            polling = new Thread(this::poll, "baton-lab-receiver-" + (incoming.instance + 1));
            polling.setDaemon(true);
        }

        private void poll() {
            try {
                while (!isEnding) {
                    instance.poll(); // which waits as the system does
                }
            } catch (Throwable failed) { // also errors of a library
                if (!isEnding) {
                    incoming.onFailure(failure("poll", failed));
                }
            }
        }

        /** Waits until nothing is on its way; false if that is not known by the deadline. */
        boolean drain(long deadlineNanos) {
            while (incoming.count.count() != outgoing.count.count() && !instance.isDrained()) {
                if (System.nanoTime() - deadlineNanos >= 0) {
                    return false;
                }
                LockSupport.parkNanos(CHECK_NANOS);
            }
            return true;
        }

        void endPolling() throws InterruptedException {
            polling.join(POLL_LIMIT.toMillis());
            if (polling.isAlive()) {
                polling.interrupt();
                polling.join(POLL_LIMIT.toMillis());
            }
            if (polling.isAlive()) {
                throw new SystemFailure(
                        "poll of " + ForeignJars.describe(system) + " blocks for more than a second", null);
            }
        }
    }

    /** Makes messages and sends them. Confined to the generator's thread, except the count. */
    private final class Outgoing implements SourceSender {
        private final SystemUnderTest.Instance instance;
        private final PayloadPattern pattern;
        private final byte[] longest;
        private final Counter count = new Counter();
        private long refusals; // since the last message that was accepted
        private long firstRefusalNanos;
        private long lastRefusalNanos;

        Outgoing(SystemUnderTest.Instance instance, PayloadPattern pattern, int bytes) {
            this.instance = instance;
            this.pattern = pattern;
            longest = new byte[bytes];
        }

        @Override
        public boolean trySend(long number, long originNanos, int tag) {
            int length = PAYLOAD + pattern.length(number);
            byte[] message = length == longest.length ? longest : new byte[length];
            LONG.set(message, 0, originNanos);
            INT.set(message, TAG, tag);
            INT.set(message, CHECKSUM, checksum(originNanos, tag));
            pattern.write(number, message, PAYLOAD);
            if (!isAccepted(message)) {
                lastRefusalNanos = System.nanoTime();
                firstRefusalNanos = refusals++ == 0 ? lastRefusalNanos : firstRefusalNanos;
                return false;
            }
            refusals = 0;
            count.increment();
            return true;
        }

        private boolean isAccepted(byte[] message) {
            try {
                return instance.trySend(message);
            } catch (RuntimeException | Error thrown) {
                throw failure("trySend", thrown);
            }
        }

        /** Reports a system that has refused each message for a long time. After the end of the generator's thread. */
        void findFull(int index) {
            long nanos = refusals == 0 ? 0 : lastRefusalNanos - firstRefusalNanos;
            if (nanos >= REST_NANOS) {
                failed(
                        new SystemFailure(
                                "trySend of " + ForeignJars.describe(system) + " returned false "
                                        + Units.count(refusals) + " times in a row, for "
                                        + nanos / 1_000_000_000 + " s" + ", and accepted "
                                        + Units.count(count.count()) + " messages before",
                                null),
                        index);
            }
        }
    }

    /** Takes messages and hands them to the trial. Confined to the first thread that calls it, except the rest. */
    private final class Incoming implements SystemUnderTest.Receiver, PayloadPattern.Origin {
        private final int instance;
        private final MessageSink sink;
        private final Counter count = new Counter();
        private volatile Thread caller; // null until the first message
        private volatile boolean isClosed;
        private byte[] message;

        Incoming(ChainEnds ends) {
            instance = ends.index();
            sink = ends.receiver();
        }

        @Override
        public void onMessage(byte[] received) {
            if (isClosed || caller != Thread.currentThread() && !tryEnter()) {
                return;
            }
            if (received == null) {
                onFailure(new SystemFailure("onMessage was called with null instead of a message", null));
                return;
            }
            message = received;
            if (received.length >= PAYLOAD) {
                long origin = (long) LONG.get(received, 0);
                int tag = (int) INT.get(received, TAG);
                boolean isIntact = (int) INT.get(received, CHECKSUM) == checksum(origin, tag);
                sink.onMessage(origin, tag, isIntact ? 0 : MessageSink.DAMAGED, received.length - PAYLOAD, this);
            } else {
                sink.onMessage(Long.MIN_VALUE, 0, 0, 0, this); // whose origin is no slot: corruption
            }
            count.increment();
        }

        private synchronized boolean tryEnter() {
            if (caller != null) {
                onFailure(new IllegalStateException("onMessage was called by " + caller.getName() + " and by "
                        + Thread.currentThread().getName() + "; one thread calls the receiver of an instance"));
                return false;
            }
            caller = Thread.currentThread();
            return true;
        }

        @Override
        public void onFailure(Throwable cause) {
            failed(cause, instance);
        }

        @Override
        public void copyTo(byte[] target, int length) {
            System.arraycopy(message, PAYLOAD, target, 0, length);
        }
    }
}
