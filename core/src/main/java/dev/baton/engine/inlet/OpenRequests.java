package dev.baton.engine.inlet;

import dev.baton.BackPressureException;
import dev.baton.ChainClosedException;
import dev.baton.ChainFailedException;
import dev.baton.MessageFields;
import dev.baton.Offer;
import dev.baton.RequestFailedException;
import dev.baton.Requests;
import dev.baton.Serde;
import dev.baton.SharedInlet;
import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.message.Replies;
import dev.baton.engine.message.RequestMark;
import dev.baton.run.Environment;
import dev.baton.spi.Frame;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The open requests of one asker: a number for each, its future and its timer. The asker's id is random, so that it ignores the
 * replies to other askers, and to those of its earlier lives. Thread-safe.
 */
public final class OpenRequests<Q, R> implements Requests<Q, R>, Replies.Receiver {
    private record Open<R>(InletQueue queue, CompletableFuture<Optional<R>> reply) {}

    private final String chain;
    private final Environment environment;
    private final SharedInlet inlet;
    private final Serde<Q> requestCodec;
    private final Serde<R> replyCodec;
    private final int mostOpen;
    private final Runnable onClose;
    private final long asker = UUID.randomUUID().getMostSignificantBits();
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicInteger count = new AtomicInteger(); // also of requests that are about to be opened
    private final ConcurrentMap<Long, Open<R>> requests = new ConcurrentHashMap<>();
    private volatile RuntimeException ended; // null while requests are taken

    /**
     * Creates requests without open ones.
     *
     * @param inlet inlet of the chain, from this package
     * @param onClose ends the reading of replies
     */
    public OpenRequests(
            String chain,
            Environment environment,
            SharedInlet inlet,
            Serde<Q> requestCodec,
            Serde<R> replyCodec,
            int mostOpen,
            Runnable onClose) {
        this.chain = chain;
        this.environment = environment;
        this.inlet = inlet;
        this.requestCodec = requestCodec;
        this.replyCodec = replyCodec;
        this.mostOpen = mostOpen;
        this.onClose = onClose;
        queues().forEach(queue -> queue.whenOver(() -> over(queue)));
    }

    private List<InletQueue> queues() {
        return inlet instanceof PartitionedInlet partitioned ? partitioned.queues() : List.of((InletQueue) inlet);
    }

    private InletQueue queue(MessageFields fields) {
        return inlet instanceof PartitionedInlet partitioned ? partitioned.of(fields) : (InletQueue) inlet;
    }

    @Override
    public CompletableFuture<Optional<R>> ask(Q request, MessageFields fields, Duration timeout) {
        if (timeout.isZero() || timeout.isNegative()) {
            throw new IllegalArgumentException("timeout " + timeout + "; more than zero is allowed");
        }
        InletQueue queue = queue(fields);
        long number = numbers.incrementAndGet();
        InletQueue.Waiting message = queue.request(request, requestCodec, fields, asker, number);
        CompletableFuture<Optional<R>> reply = new CompletableFuture<>();
        if (count.incrementAndGet() > mostOpen) {
            count.decrementAndGet();
            reply.completeExceptionally(
                    new BackPressureException(mostOpen + " requests to chain " + chain + " are open, the maximum"));
            return reply;
        }
        requests.put(number, new Open<>(queue, reply));
        CompletableFuture<Void> timer = environment.after(timeout);
        timer.thenRun(() -> reply.completeExceptionally(
                new TimeoutException("no reply of chain " + chain + " within " + timeout.toMillis() + " ms")));
        reply.whenComplete((value, failure) -> {
            requests.remove(number);
            count.decrementAndGet();
            timer.cancel(false);
        });
        RuntimeException refusal = refusal(queue, message);
        if (refusal != null) {
            reply.completeExceptionally(refusal);
        }
        return reply;
    }

    /** Offers a request, and returns the reason if it will get no reply; null if it may. */
    private RuntimeException refusal(InletQueue queue, InletQueue.Waiting message) {
        if (ended != null) {
            return ended;
        }
        try {
            Offer answer = queue.offer(message);
            if (answer == Offer.FULL) {
                return new BackPressureException(mostOpen + " messages wait for the loop of chain " + chain
                        + ", the maximum" + queue.heldBack());
            }
            return answer == Offer.CLOSED ? closed("chain " + chain + " is closed") : ended;
        } catch (ChainFailedException failed) {
            return failed;
        }
    }

    private static ChainClosedException closed(String what) {
        return new ChainClosedException(what + "; a request without a reply may have been handled or not");
    }

    @Override
    public void received(InboundMessage reply) {
        Frame frame = reply.frame();
        int at = RequestMark.find(frame);
        Open<R> request = RequestMark.asker(frame, at) == asker ? requests.get(RequestMark.number(frame, at)) : null;
        if (request == null) {
            return;
        }
        switch (RequestMark.kind(frame, at)) {
            case RequestMark.MESSAGE -> complete(request.reply(), reply);
            case RequestMark.EMPTY -> request.reply().complete(Optional.empty());
            default -> request.reply().completeExceptionally(new RequestFailedException(text(reply)));
        }
    }

    /** Decodes with a decoder of its own, because decoders may reuse their values. */
    private void complete(CompletableFuture<Optional<R>> request, InboundMessage reply) {
        R value;
        try {
            value = replyCodec.checkedDecoder().decode(reply);
        } catch (Throwable undecodable) { // of the codec, which must not stop the chain
            request.completeExceptionally(undecodable);
            return;
        }
        request.complete(Optional.of(value));
    }

    private static String text(InboundMessage reply) {
        byte[] bytes = new byte[reply.length()];
        reply.getBytes(0, bytes, 0, bytes.length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Fails the requests that were sent through a queue whose messages no run sends any more. */
    private void over(InletQueue queue) {
        Throwable failure = queue.failure();
        RuntimeException why =
                failure == null ? closed("chain " + chain + " was closed") : new ChainFailedException(chain, failure);
        if (failure == null && ended == null) {
            ended = why; // of all partitions
        }
        for (Open<R> each : requests.values()) {
            if (each.queue() == queue) {
                each.reply().completeExceptionally(why);
            }
        }
    }

    @Override
    public void failed(Throwable cause) {
        if (ended != null) {
            return;
        }
        end(new ChainFailedException(chain, cause));
    }

    private void end(RuntimeException why) {
        ended = why;
        requests.values().forEach(each -> each.reply().completeExceptionally(why));
    }

    @Override
    public SharedInlet inlet() {
        return inlet;
    }

    @Override
    public int open() {
        return requests.size();
    }

    @Override
    public void close() {
        if (ended == null) {
            end(closed("the requests to chain " + chain + " were closed"));
        }
        if (!isClosed.getAndSet(true)) {
            onClose.run();
        }
    }
}
