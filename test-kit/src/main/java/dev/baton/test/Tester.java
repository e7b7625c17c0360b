package dev.baton.test;

import dev.baton.Chain;
import dev.baton.Deployment;
import dev.baton.ErrorPolicy;
import dev.baton.Inlet;
import dev.baton.MessageFields;
import dev.baton.Requests;
import dev.baton.Serde;
import dev.baton.deadletters.DeadLetter;
import dev.baton.state.SnapshotPolicy;
import dev.baton.status.PartStatus;
import dev.baton.test.guard.CallbackHooks;
import dev.baton.test.memory.MemoryProcess;
import dev.baton.test.memory.MemoryTopic;
import dev.baton.test.memory.TransportFaults;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A test of a chain in memory, on the calling thread and by a clock that the test advances; the common part of {@link ServiceTester} and
 * {@link ChainTester}.
 *
 * <p>The chain that runs is the real one, so that its rules are those of production. It starts with the first call that needs it. {@link
 * #send}, {@link #advance} and {@link #start} return when there is nothing more to do at that time, and throw the failure that has stopped
 * the chain, mostly a {@link dev.baton.ServiceFailure}. Topics survive {@link #restart} and {@link #crash}.
 *
 * <p>In addition to the checks of a chain, a tester throws when a service uses a message or an outlet after its callback or on another
 * thread, or swallows an exception of its outlet. Confined to one thread.
 *
 * @param <T> the tester
 */
public abstract class Tester<T extends Tester<T>> implements AutoCloseable {
    private static final long DEFAULT_TICK_NANOS = Duration.ofSeconds(1).toNanos();

    /** Snapshots frequent enough for a test of a few inputs. */
    private static final SnapshotPolicy SNAPSHOTS = SnapshotPolicy.standard().orInputs(3);

    private final Chain chain;
    private final InjectedExceptions injected = new InjectedExceptions();
    private final Scenario scenario = new Scenario();
    private final List<UnaryOperator<Deployment>> deployments = new ArrayList<>();
    private int maxPayload = MemoryTransport.DEFAULT_MAX_PAYLOAD;
    private long tickNanos = DEFAULT_TICK_NANOS;
    private TestSeed seed = TestSeed.of(1);
    private Rig rig; // null before the first start
    private int taken; // outputs of the last topic
    private boolean isClosed;

    /** The exceptions that the test injects into callbacks. */
    private static final class InjectedExceptions implements CallbackHooks {
        private final Map<String, Deque<Exception>> due = new HashMap<>();
        private RuntimeException misuse; // the first that was not reported yet; null for none

        void throwNext(String service, int times, Exception thrown) {
            due.computeIfAbsent(service, any -> new ArrayDeque<>()).addAll(Collections.nCopies(times, thrown));
        }

        @Override
        public void before(String service) throws Exception {
            Deque<Exception> queue = due.get(service);
            Exception next = queue == null ? null : queue.poll();
            if (next != null) {
                throw next;
            }
        }

        @Override
        public void misused(String service, RuntimeException found) {
            misuse = misuse == null ? found : misuse;
        }

        /** {@return the first misuse since the last call; null for none} */
        RuntimeException takeMisuse() {
            RuntimeException found = misuse;
            misuse = null;
            return found;
        }
    }

    Tester(Chain chain) {
        this.chain = Objects.requireNonNull(chain, "chain");
    }

    abstract T self();

    /** The chain that runs. */
    final Chain chain() {
        return chain;
    }

    /**
     * Deploys the chain as the application does: batch, error policy, held inputs, checksums. Before the first start.
     *
     * @param settings change the deployment; applied in the order of these calls
     * @return this
     */
    public T deployed(UnaryOperator<Deployment> settings) {
        requireNotStarted();
        deployments.add(Objects.requireNonNull(settings, "settings"));
        return self();
    }

    /**
     * Sets what happens to messages whose service throws; {@link ErrorPolicy#stop} by default. Before the first start.
     *
     * @param policy of all services that have none of their own
     * @return this
     */
    public T onError(ErrorPolicy policy) {
        Objects.requireNonNull(policy, "error policy");
        return deployed(deployment -> deployment.onError(policy));
    }

    /**
     * Sets the longest payload of the chain's topics, {@value MemoryTransport#DEFAULT_MAX_PAYLOAD} by default. Before
     * the first start.
     *
     * @param bytes from 1
     * @return this
     */
    public T maxPayload(int bytes) {
        requireNotStarted();
        maxPayload = bytes;
        return self();
    }

    /**
     * Sets how often a service is given a tick that names no time for it ({@link dev.baton.TickingService#deadlineNanos})
     * while {@link #advance} lets time pass; every second by default. Before the first start.
     *
     * @param interval longer than 0
     * @return this
     */
    public T tickEvery(Duration interval) {
        requireNotStarted();
        if (interval.isZero() || interval.isNegative()) {
            throw new IllegalArgumentException("tick interval " + interval + "; more than 0 is allowed");
        }
        tickNanos = interval.toNanos();
        return self();
    }

    /**
     * Sets the seed of {@link #assertRepeatable}; 1 by default. The system property {@code baton.test.seed} takes
     * precedence.
     *
     * @param number any
     * @return this
     */
    public T seed(long number) {
        seed = TestSeed.of(number);
        return self();
    }

    private void requireNotStarted() {
        if (rig != null) {
            throw new IllegalStateException("chain " + chain.name() + " has started; set it up before");
        }
    }

    /**
     * Starts the chain and lets it come to rest, where it does not run. Every other method that needs it does so by itself.
     *
     * @return this
     * @throws RuntimeException what the start or a callback throws
     */
    public T start() {
        running();
        settle();
        return self();
    }

    private Rig running() {
        if (isClosed) {
            throw new IllegalStateException("this tester is closed");
        }
        if (rig == null) {
            rig = new Rig(plan(), TransportFaults.NONE, injected);
        }
        if (!rig.isRunning()) {
            rig.start();
        }
        return rig;
    }

    private Rig.Plan plan() {
        return new Rig.Plan(
                chain,
                deployment -> {
                    Deployment set = deployment.snapshots(SNAPSHOTS);
                    for (UnaryOperator<Deployment> each : deployments) {
                        set = each.apply(set);
                    }
                    return set;
                },
                maxPayload,
                tickNanos);
    }

    private void settle() {
        Rig live = running();
        scenario.note(live.topic(0));
        live.rest();
        RuntimeException misuse = injected.takeMisuse();
        if (misuse != null) {
            throw misuse;
        }
        requireNone(live.failure());
    }

    private static void requireNone(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        } else if (failure != null) {
            throw (RuntimeException) failure;
        }
    }

    /**
     * {@return the inlet itself, for claims and batches; what is sent there is delivered by {@link #start}, {@link
     * #send} or {@link #advance}}
     */
    public Inlet inlet() {
        return running().running().inlet();
    }

    /**
     * Opens the requests of the chain. A request is delivered and answered by {@link #start} or {@link #advance}, and times out on the
     * virtual clock. {@link #restart} and {@link #crash} close them; the chain then has no requests until they are opened again. While
     * they are open, messages without a reply go through {@link Requests#inlet}.
     *
     * @param <Q> the requests
     * @param <R> the replies
     * @param requestCodec which encodes requests
     * @param replyCodec which decodes messages of the last topic
     * @return the requests
     * @throws IllegalStateException when something was sent since the start, as a chain has one inlet
     */
    public <Q, R> Requests<Q, R> requests(Serde<Q> requestCodec, Serde<R> replyCodec) {
        return running().requests(requestCodec, replyCodec);
    }

    /**
     * Sends bytes, and lets the chain come to rest.
     *
     * @param payload copied
     * @return this
     * @throws RuntimeException what a callback throws
     */
    public T send(byte[] payload) {
        inlet().send(payload);
        settle();
        return self();
    }

    /**
     * Sends bytes as a message of this type, and lets the chain come to rest.
     *
     * @param payload copied
     * @param type of the message
     * @return this
     * @throws RuntimeException what a callback throws
     */
    public T send(byte[] payload, int type) {
        inlet().send(ByteBuffer.wrap(payload), new MessageFields().type(type));
        settle();
        return self();
    }

    /**
     * Sends a value, and lets the chain come to rest.
     *
     * @param <V> the value's class
     * @param value encoded at once
     * @param codec which encodes it
     * @return this
     * @throws RuntimeException what a callback throws
     */
    public <V> T send(V value, Serde<V> codec) {
        inlet().send(value, codec);
        settle();
        return self();
    }

    /**
     * Sends a value with a key, and lets the chain come to rest.
     *
     * @param <V> the value's class
     * @param value encoded at once
     * @param codec which encodes it
     * @param key of the message
     * @return this
     * @throws RuntimeException what a callback throws
     */
    public <V> T send(V value, Serde<V> codec, ByteBuffer key) {
        inlet().send(value, codec, new MessageFields().key(key));
        settle();
        return self();
    }

    /**
     * Advances the time from one deadline to the next, and runs everything that is due at each.
     *
     * @param time 0 or more; 24 hours take no longer than their callbacks
     * @return this
     * @throws RuntimeException what a callback throws
     */
    public T advance(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("advance by " + time + "; 0 or more is allowed");
        }
        settle();
        scenario.note(time.toNanos());
        for (long left = time.toNanos(); left > 0; ) {
            long step = rig.untilDue(left);
            rig.clock.advance(step);
            left -= step;
            settle();
        }
        return self();
    }

    /** {@return the clock, which {@link #advance} advances} */
    public VirtualClock clock() {
        return started().clock;
    }

    private Rig started() {
        return rig == null ? running() : rig;
    }

    /** {@return the outputs of the chain that were not taken yet, oldest first} They are taken then. */
    public List<Output> take() {
        List<Output> all = outputs();
        List<Output> news = all.subList(taken, all.size());
        taken = all.size();
        return news;
    }

    /**
     * {@return the outputs that were not taken yet as values, oldest first} They are taken then.
     *
     * @param <V> the values' class
     * @param codec which decodes them
     */
    public <V> List<V> take(Serde<V> codec) {
        return take().stream().map(output -> output.value(codec)).toList();
    }

    /**
     * {@return the oldest output that was not taken yet} It is taken then.
     *
     * @throws AssertionError when there is none
     */
    public Output takeOne() {
        List<Output> all = outputs();
        if (taken == all.size()) {
            throw new AssertionError("chain " + chain.name() + " has sent nothing more: " + taken
                    + " outputs were taken, of " + started().topic(0).size() + " inputs "
                    + handled(
                            chain.services().isEmpty()
                                    ? Chain.SINK
                                    : chain.services().get(0)) + " are handled");
        }
        return all.get(taken++);
    }

    /**
     * {@return the oldest output that was not taken yet, as a value} It is taken then.
     *
     * @param <V> the value's class
     * @param codec which decodes it
     * @throws AssertionError when there is none
     */
    public <V> V takeOne(Serde<V> codec) {
        return takeOne().value(codec);
    }

    /** {@return all outputs of the chain since the tester began, whether they were taken or not} */
    public List<Output> outputs() {
        return messages(chain.hops() - 1);
    }

    /** Returns the messages of a topic, by its position in the chain. */
    final List<Output> messages(int index) {
        MemoryTopic topic = started().topic(index);
        List<Output> all = new ArrayList<>();
        for (long i = 1; i <= topic.size(); i++) {
            Output output = new Output(topic.name, topic.frame(i));
            if (!output.isReply()) {
                all.add(output);
            }
        }
        return all;
    }

    /** Has the next messages or ticks of a service throw this in place of being handled. */
    final void throwNext(String service, int times, Exception thrown) {
        requireService(service);
        if (times < 1) {
            throw new IllegalArgumentException("throwNext " + times + " times; 1 or more is allowed");
        }
        injected.throwNext(service, times, Objects.requireNonNull(thrown, "exception"));
    }

    final int requireService(String service) {
        int index = chain.services().indexOf(service);
        if (index < 0) {
            throw new IllegalArgumentException("chain " + chain.name() + " has no service '" + service + "'; it has "
                    + String.join(", ", chain.services()));
        }
        return index;
    }

    /** Returns the sequence of the newest input that a service has acknowledged, 0 for none. */
    final long acknowledged(String service) {
        int index = service.equals(Chain.SINK) ? chain.hops() - 1 : requireService(service);
        return started().topic(index).acknowledged().getOrDefault(service, 0L);
    }

    /** Returns the sequence of the newest input that a service has handled, 0 for none. */
    final long handled(String service) {
        if (started().isRunning() && rig.failure() == null) {
            for (PartStatus part : rig.running().status().parts()) {
                if (part.name().equals(service)) {
                    return Math.max(0, part.input().consumed());
                }
            }
        }
        return acknowledged(service);
    }

    /**
     * {@return the dead letters of a service, oldest first; {@link Chain#SINK} for those of an output handler}
     *
     * @param service by its name in the chain
     */
    public List<DeadLetter> deadLetters(String service) {
        String topic = chain.deadLetterTopic(0, service);
        MemoryTransport reading =
                new MemoryTransport(new MemoryProcess(started().storage, rig.clock, TransportFaults.NONE, maxPayload));
        List<DeadLetter> letters = new ArrayList<>();
        if (reading.topics().contains(topic)) {
            DeadLetter.readAll(reading, topic, letters::add);
        }
        return letters;
    }

    /** {@return what has stopped the chain; {@link #restart} or {@link #crash} begins another life} */
    public Optional<Throwable> failure() {
        return rig == null ? Optional.empty() : Optional.ofNullable(rig.failure());
    }

    /**
     * Closes the chain in order, with {@link dev.baton.Service#onClosing}, and starts it again: new instances of the services, over
     * the same topics.
     *
     * @return this
     * @throws RuntimeException what a callback throws while the chain closes or starts
     */
    public T restart() {
        boolean isRunning = rig != null && rig.isRunning();
        end();
        if (isRunning) {
            requireNone(rig.closingFailure());
        }
        return start();
    }

    /**
     * Ends the chain as {@code kill -9} does, and starts it again: new instances of the services, over the stored messages. At rest
     * everything is stored, so that only inputs that a service holds are delivered again.
     *
     * @return this
     */
    public T crash() {
        started().kill();
        return start();
    }

    /**
     * Closes the chain in order, with {@link dev.baton.Service#onClosing}; outputs may still be taken. Where it does not run, nothing
     * happens.
     *
     * @return whether everything was drained and stored
     */
    public boolean end() {
        if (rig == null || !rig.isRunning()) {
            return true;
        }
        scenario.note(rig.topic(0));
        return rig.close();
    }

    /**
     * Runs the hostile mode with every hardship of {@link Hostility#all}: {@link #assertRepeatable(Hostility)}.
     *
     * @return this
     * @throws NotRepeatableError that names the service, the input, both outputs and the usual causes
     */
    public T assertRepeatable() {
        return assertRepeatable(Hostility.all());
    }

    /**
     * Repeats the steps of this test, its inputs and the time between them: once undisturbed, then under hardships that real hosts have as
     * well. Each input has to lead to the same outputs at each delivery, and each topic has to hold the same outputs in the end, each once.
     * Messages caused by inputs and messages sent by ticks are compared separately, without their times. Exceptions of {@link
     * ServiceTester#throwNext} are not repeated.
     *
     * <p>Runs are determined by the seed ({@link #seed}). A failure names it; {@code -Dbaton.test.seed=1/42} repeats run 42 of seed 1
     * alone, {@code -Dbaton.test.seed=random} takes another seed each time.
     *
     * @param hostility which hardships, in how many runs
     * @return this
     * @throws NotRepeatableError that names the service, the input, both outputs and the usual causes
     * @throws IllegalStateException when the test has done nothing yet
     */
    public T assertRepeatable(Hostility hostility) {
        Objects.requireNonNull(hostility, "hostility");
        if (rig != null) {
            scenario.note(rig.topic(0));
        }
        if (scenario.steps().isEmpty()) {
            throw new IllegalStateException("nothing was sent and no time has passed, so there is nothing to repeat");
        }
        new HostileCheck(plan(), scenario, seed).check(hostility);
        return self();
    }

    /** Closes the chain in order. Outputs may still be taken. Idempotent. */
    @Override
    public void close() {
        end();
        isClosed = true;
    }
}
