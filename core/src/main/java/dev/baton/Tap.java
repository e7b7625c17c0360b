package dev.baton;

import dev.baton.run.Loops;
import dev.baton.spi.StartPosition;
import dev.baton.spi.Transport;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * How a consumer is attached to a topic that exists, of a chain that runs in this or another process or has ended, beside
 * the chain's own consumer. What was handled is acknowledged; the position is kept under the consumer's name as long as the
 * transport keeps topics. A consumer seen for the first time begins at the oldest message that the topic still holds.
 *
 * <p>What it has not acknowledged is kept for it, so that a slow tap holds a bounded topic back; a tap that is gone for
 * good has to be forgotten ({@link Transport#forgetConsumer}). Begun with {@link #on}, ended with {@link #handle}.
 * Confined to one thread.
 */
public final class Tap {
    private final Transport transport;
    private String topic;
    private String consumer;
    private Loops loops;
    private ErrorPolicy errors = ErrorPolicy.stop();
    private UnreadableFrames unreadable = UnreadableFrames.STOP;
    private Consumer<? super Throwable> onFailure;
    private int batch = Deployment.DEFAULT_BATCH;
    private Duration openLimit = Deployment.DEFAULT_OPEN_LIMIT;
    private StartPosition from; // null: where the consumer left off

    private Tap(Transport transport) {
        this.transport = Objects.requireNonNull(transport, "transport");
    }

    /**
     * Begins a tap.
     *
     * @param transport that has the topic; the caller keeps it and closes it after the tap
     * @return a tap with the default options, whose topic, name and loops have to be given
     */
    public static Tap on(Transport transport) {
        return new Tap(transport);
    }

    /**
     * The topic to read. Has to be given.
     *
     * @param name such as {@link Chain#topic} or {@link Merge#topic} returns it
     * @return this tap
     */
    public Tap topic(String name) {
        topic = Chain.checkTopic(name);
        return this;
    }

    /**
     * The consumer's name, unlike those of the topic's other consumers. Has to be given.
     *
     * @param name up to 100 letters, digits, '.', '_' and '-', beginning with a letter or digit
     * @return this tap
     * @throws IllegalArgumentException for the name of the consumer that every chain's own output has
     */
    public Tap as(String name) {
        if (Chain.OUTLET.equals(name)) {
            throw new IllegalArgumentException("'" + name + "' is the consumer of a chain's own output");
        }
        consumer = Chain.checkName("consumer", name);
        return this;
    }

    /**
     * Begins there, whatever the consumer had acknowledged, and remembers that; one that is opened without goes on.
     *
     * @param position of a kind that the transport knows ({@link Transport#startPositions}), or {@link #handle} throws an
     *     {@link UnsupportedOperationException}
     * @return this tap
     */
    public Tap from(StartPosition position) {
        from = Objects.requireNonNull(position, "start position");
        return this;
    }

    /**
     * The threads to run on. Has to be given.
     *
     * @param threads closed by the caller, after the tap
     * @return this tap
     */
    public Tap with(Loops threads) {
        loops = Objects.requireNonNull(threads, "loops");
        return this;
    }

    /**
     * What happens to messages whose handler throws. Dead letters go to a topic of the tap's own, {@code
     * topic.consumer.dead-letters}.
     *
     * @param policy {@link ErrorPolicy#stop} by default
     * @return this tap
     */
    public Tap onError(ErrorPolicy policy) {
        errors = Objects.requireNonNull(policy, "error policy");
        return this;
    }

    /**
     * What becomes of records that cannot be read as frames.
     *
     * @param policy {@link UnreadableFrames#STOP} by default
     * @return this tap
     */
    public Tap onUnreadable(UnreadableFrames policy) {
        unreadable = Objects.requireNonNull(policy, "unreadable frames");
        return this;
    }

    /**
     * The listener that receives what stopped the tap, once, on any thread; without one it is logged.
     *
     * @param listener replaces one that was set before
     * @return this tap
     */
    public Tap onFailure(Consumer<? super Throwable> listener) {
        onFailure = Objects.requireNonNull(listener, "failure listener");
        return this;
    }

    /**
     * The most messages in one turn: {@link Deployment#batch}.
     *
     * @param most 1 to 1,048,576
     * @return this tap
     */
    public Tap batch(int most) {
        batch = PartPlans.checkBatch(most);
        return this;
    }

    /**
     * How long {@link #handle} takes to open before it throws: {@link Deployment#openWithin}.
     *
     * @param limit 60 seconds by default; a negative one counts as zero
     * @return this tap
     */
    public Tap openWithin(Duration limit) {
        openLimit = limit;
        return this;
    }

    /**
     * Has the tap closed and opened again when it fails: {@link Deployment#restart}.
     *
     * @param policy says when it is opened again, and when it stops for good
     * @return what starts this tap under the policy
     */
    public SupervisedTap restart(RestartPolicy policy) {
        return new SupervisedTap(this, policy);
    }

    /**
     * Opens the consumer on its loop and runs. May block, and leaves nothing behind when it fails: {@link Deployment#start}.
     *
     * @param handler called on the tap's loop
     * @return the tap, which is open
     * @throws IllegalStateException when topic, name or loops were not given
     * @throws dev.baton.spi.OccupiedException when the consumer is being read already, where the transport keeps others out
     * @throws dev.baton.spi.TransportException when the topic does not exist
     */
    public RunningTap handle(OutputHandler handler) {
        return start(deployment().onOutput(handler));
    }

    /**
     * Opens the consumer as {@link #handle(OutputHandler)} does, for the values of a codec, as {@link
     * Deployment#onOutput(Serde, TypedOutputHandler)} takes them.
     *
     * @param <T> the values
     * @param codec makes the decoder
     * @param handler called on the tap's loop
     * @return the tap, which is open
     */
    public <T> RunningTap handle(Serde<T> codec, TypedOutputHandler<? super T> handler) {
        return start(deployment().onOutput(codec, handler));
    }

    Deployment deployment() {
        if (topic == null || consumer == null || loops == null) {
            throw new IllegalStateException("a tap needs topic(...), as(...) and with(...)");
        }
        Deployment deployment = Chain.tap(consumer, topic)
                .on(transport)
                .with(loops)
                .onError(errors)
                .onUnreadable(unreadable)
                .batch(batch)
                .openWithin(openLimit);
        if (from != null) {
            deployment.startAt(from);
        }
        return onFailure == null ? deployment : deployment.onFailure(onFailure);
    }

    private static RunningTap start(Deployment deployment) {
        return new RunningTap(deployment.start());
    }
}
