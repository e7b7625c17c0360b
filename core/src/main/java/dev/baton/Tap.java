package dev.baton;

import dev.baton.run.Loops;
import dev.baton.spi.StartPosition;
import dev.baton.spi.Transport;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The configuration of an additional consumer of an existing topic. The chain of the topic may run in this or another process,
 * or may have ended. The tap acknowledges what was handled. Its position is kept under the consumer's name as long as the
 * transport keeps topics. A new consumer begins at the oldest message that the topic still holds.
 *
 * <p>The topic keeps what the consumer has not acknowledged, so a slow tap slows down a bounded topic. A tap that was removed
 * for good has to be forgotten ({@link Transport#forgetConsumer}). Begun with {@link #on}, completed with {@link #handle}.
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
     * Sets the topic to read. Required.
     *
     * @param name such as {@link Chain#topic} or {@link Merge#topic} returns it
     * @return this tap
     */
    public Tap topic(String name) {
        topic = Chain.checkTopic(name);
        return this;
    }

    /**
     * Sets the consumer's name, which has to be unique among the topic's consumers. Required.
     *
     * @param name up to 100 letters, digits, '.', '_' and '-', beginning with a letter or digit, without "---" and without '-' at
     *     the end
     * @return this tap
     * @throws IllegalArgumentException for the name of the consumer that reads every chain's last topic
     */
    public Tap as(String name) {
        if (Chain.OUTLET.equals(name)) {
            throw new IllegalArgumentException("'" + name + "' is the consumer of a chain's own output");
        }
        consumer = ChainNames.checkedConsumer(name);
        return this;
    }

    /**
     * Sets the position at which the consumer begins, regardless of what it has acknowledged, and stores it. Without a start
     * position the consumer continues.
     *
     * @param position position of a kind that the transport supports ({@link Transport#startPositions}); otherwise {@link
     *     #handle} throws an {@link UnsupportedOperationException}
     * @return this tap
     */
    public Tap from(StartPosition position) {
        from = Objects.requireNonNull(position, "start position");
        return this;
    }

    /**
     * Sets the loops that run the tap. Required.
     *
     * @param threads closed by the caller, after the tap
     * @return this tap
     */
    public Tap with(Loops threads) {
        loops = Objects.requireNonNull(threads, "loops");
        return this;
    }

    /**
     * Sets what happens to messages whose handler throws. Dead letters go to the tap's own topic, {@code
     * topic---consumer.dead-letters}.
     *
     * @param policy {@link ErrorPolicy#stop} by default
     * @return this tap
     */
    public Tap onError(ErrorPolicy policy) {
        errors = Objects.requireNonNull(policy, "error policy");
        return this;
    }

    /**
     * Sets what happens to records that cannot be read as frames.
     *
     * @param policy {@link UnreadableFrames#STOP} by default
     * @return this tap
     */
    public Tap onUnreadable(UnreadableFrames policy) {
        unreadable = Objects.requireNonNull(policy, "unreadable frames");
        return this;
    }

    /**
     * Sets the listener that receives the failure that stopped the tap. It is called once, on any thread. Without a listener
     * the failure is logged.
     *
     * @param listener replaces one that was set before
     * @return this tap
     */
    public Tap onFailure(Consumer<? super Throwable> listener) {
        onFailure = Objects.requireNonNull(listener, "failure listener");
        return this;
    }

    /**
     * Sets the maximum number of messages in one turn: {@link Deployment#batch}.
     *
     * @param most 1 to 1,048,576
     * @return this tap
     */
    public Tap batch(int most) {
        batch = PartPlans.checkBatch(most);
        return this;
    }

    /**
     * Sets how long {@link #handle} may take to open before it throws: {@link Deployment#openWithin}.
     *
     * @param limit 60 seconds by default; a negative one counts as zero
     * @return this tap
     */
    public Tap openWithin(Duration limit) {
        openLimit = limit;
        return this;
    }

    /**
     * Closes the tap and opens it again when it fails: {@link Deployment#restart}.
     *
     * @param policy when the tap is opened again, and when it stops for good
     * @return the tap under the policy, to be started there
     */
    public SupervisedTap restart(RestartPolicy policy) {
        return new SupervisedTap(this, policy);
    }

    /**
     * Starts the tap: opens the consumer on its loop, and runs. May block. Leaves nothing running if it fails: {@link
     * Deployment#start}.
     *
     * @param handler called on the tap's loop
     * @return the tap, which is open
     * @throws IllegalStateException when topic, name or loops were not given
     * @throws dev.baton.spi.OccupiedException if the consumer is already in use and the transport excludes a second reader
     * @throws dev.baton.spi.TransportException when the topic does not exist
     */
    public RunningTap handle(OutputHandler handler) {
        return start(deployment().onOutput(handler));
    }

    /**
     * Starts the tap as {@link #handle(OutputHandler)} does, for the values of a codec, as for {@link
     * Deployment#onOutput(Serde, TypedOutputHandler)}.
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
