package dev.baton.engine.inlet;

import dev.baton.BackPressureException;
import dev.baton.ChainClosedException;
import dev.baton.ChainFailedException;
import dev.baton.MessageFields;
import dev.baton.RequestFailedException;
import dev.baton.Requests;
import dev.baton.Serde;
import dev.baton.SharedInlet;
import dev.baton.SharedInlet.Offer;
import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.message.Replies;
import dev.baton.engine.message.RequestMark;
import dev.baton.run.Environment;
import dev.baton.spi.Extension;
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
 * replies to other askers, and to those of its earlier lives. It has the version 0 of a UUID, which no id of a client has: those
 * take the place of asker and number. Thread-safe.
 */
public final class OpenRequests<Q, R> implements Requests<Q, R>, Replies.Receiver {
    private static final long VERSION = 0xF000; // bits of a UUID

    /** An open request; the id is null if the client gave none. */
    private record Open<R>(
            InletQueue queue, UUID id, CompletableFuture<Optional<R>> reply, CompletableFuture<Void> timer) {}

    /**
     * The requests that are remembered.
     *
     * @param most maximum number
     * @param ageNanos time for which they are remembered
     */
    public record Resends(int most, long ageNanos) {}

    private final String chain;
    private final Environment environment;
    private final SharedInlet inlet;
    private final Serde<Q> requestCodec;
    private final Serde<R> replyCodec;
    private final int mostOpen;
    private final Runnable onClose;
    private final RememberedRequests<R> remembered; // null if requests have no ids
    private final long asker = UUID.randomUUID().getMostSignificantBits() & ~VERSION;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicInteger count = new AtomicInteger(); // also of requests that are about to be opened
    private final ConcurrentMap<Long, Open<R>> requests = new ConcurrentHashMap<>();
    private volatile RuntimeException ended; // null while requests are taken

    /**
     * Creates requests without open ones.
     *
     * @param inlet inlet of the chain, from this package
     * @param resends the requests that are remembered; null for none
     * @param onClose ends the reading of replies
     */
    public OpenRequests(
            String chain,
            Environment environment,
            SharedInlet inlet,
            Serde<Q> requestCodec,
            Serde<R> replyCodec,
            int mostOpen,
            Resends resends,
            Runnable onClose) {
        this.chain = chain;
        this.environment = environment;
        this.inlet = inlet;
        this.requestCodec = requestCodec;
        this.replyCodec = replyCodec;
        this.mostOpen = mostOpen;
        this.onClose = onClose;
        this.remembered = resends == null ? null : new RememberedRequests<>(resends);
        queues().forEach(queue -> {
            queue.whenOver(() -> end(queue));
            if (resends != null) {
                queue.whenTakenOver(this::takenOver);
            }
        });
    }

    private List<InletQueue> queues() {
        return inlet instanceof PartitionedInlet partitioned ? partitioned.queues() : List.of((InletQueue) inlet);
    }

    private InletQueue queue(MessageFields fields) {
        return inlet instanceof PartitionedInlet partitioned ? partitioned.of(fields) : (InletQueue) inlet;
    }

    @Override
    public CompletableFuture<Optional<R>> ask(Q request, MessageFields fields, Duration timeout) {
        check(timeout);
        InletQueue queue = queue(fields);
        long number = numbers.incrementAndGet();
        InletQueue.Waiting message =
                queue.request(request, requestCodec, fields, new InletQueue.Request(asker, number, false));
        CompletableFuture<Optional<R>> reply = opened(queue, number, null, timeout);
        if (!reply.isDone()) {
            RuntimeException refusal = refusal(queue, message);
            if (refusal != null) {
                reply.completeExceptionally(refusal);
            }
        }
        return reply;
    }

    @Override
    public CompletableFuture<Optional<R>> ask(Q request, MessageFields fields, UUID id, Duration timeout) {
        check(timeout);
        check(id);
        RememberedRequests.Answer<R> known = remembered.answer(id, environment.nanoTime());
        if (known != null) {
            CompletableFuture<Optional<R>> reply = new CompletableFuture<>();
            known.to(reply);
            return reply;
        }
        InletQueue queue = queue(fields);
        InletQueue.Waiting message = queue.request(
                request,
                requestCodec,
                fields,
                new InletQueue.Request(id.getMostSignificantBits(), id.getLeastSignificantBits(), true));
        long number = numbers.incrementAndGet();
        CompletableFuture<Optional<R>> reply = opened(queue, number, id, timeout);
        if (reply.isDone()) {
            return reply;
        }
        RememberedRequests.Added<R> added = remembered.add(id, number, environment.nanoTime());
        if (added.answer() != null) {
            answered(List.of(number), added.answer());
            return reply;
        }
        boolean isFirst = added.isFirst();
        if (!requests.containsKey(number)) { // its time was over before it waited
            remembered.leave(id, number);
        }
        RuntimeException refusal = isFirst ? refusal(queue, message) : over(queue);
        if (refusal != null && isFirst) {
            answered(remembered.remove(id), new RememberedRequests.Answer<>(null, refusal, environment.nanoTime()));
        } else if (refusal != null) {
            reply.completeExceptionally(refusal);
        }
        return reply;
    }

    private void answered(List<Long> numbers, RememberedRequests.Answer<R> answer) {
        for (long number : numbers) {
            Open<R> request = freed(number);
            if (request != null) {
                answer.to(request.reply());
            }
        }
    }

    private static void check(Duration timeout) {
        if (timeout.isZero() || timeout.isNegative()) {
            throw new IllegalArgumentException("timeout " + timeout + "; more than zero is allowed");
        }
    }

    private void check(UUID id) {
        if (remembered == null) {
            throw new IllegalStateException("chain " + chain + " does not remember requests, so that a resend would be"
                    + " handled again; set Deployment.resends(...)");
        }
        if (id.version() == 0) {
            throw new IllegalArgumentException("request id " + id + " has version 0; use UUID.randomUUID(), or"
                    + " UUID.nameUUIDFromBytes(...) for an id of another form");
        }
    }

    /** Opens a request, which is complete at once if too many are open. */
    private CompletableFuture<Optional<R>> opened(InletQueue queue, long number, UUID id, Duration timeout) {
        CompletableFuture<Optional<R>> reply = new CompletableFuture<>();
        if (count.incrementAndGet() > mostOpen) {
            count.decrementAndGet();
            reply.completeExceptionally(
                    new BackPressureException(mostOpen + " requests to chain " + chain + " are open, the maximum"));
            return reply;
        }
        CompletableFuture<Void> timer = environment.after(timeout);
        requests.put(number, new Open<>(queue, id, reply, timer));
        timer.thenRun(() -> {
            freed(number);
            reply.completeExceptionally(new TimeoutException("no reply of chain " + chain + " within "
                    + (timeout.toMillis() == 0 ? timeout.toNanos() + " ns" : timeout.toMillis() + " ms")));
        });
        reply.whenComplete((value, failure) -> freed(number)); // otherwise completed, such as cancelled
        return reply;
    }

    /** Frees the place of a request, before its future completes. Returns the request; null if its place is free already. */
    private Open<R> freed(long number) {
        Open<R> request = requests.remove(number);
        if (request != null) {
            count.decrementAndGet();
            request.timer.cancel(false);
            if (request.id != null) {
                remembered.leave(request.id, number);
            }
        }
        return request;
    }

    /** Offers a request, and returns the reason if it will get no reply; null if it may. */
    private RuntimeException refusal(InletQueue queue, InletQueue.Waiting message) {
        if (ended != null) {
            return ended;
        }
        try {
            Offer answer = queue.offer(message);
            if (answer == Offer.FULL) {
                return new BackPressureException(queue.capacity() + " messages wait for the loop of chain " + chain
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
        long by = RequestMark.asker(frame, at);
        long number = RequestMark.number(frame, at);
        if (by == asker) {
            Open<R> request = freed(number);
            if (request != null) {
                answer(reply, at).to(request.reply());
            }
        } else if (remembered != null && (by & VERSION) != 0) {
            UUID id = new UUID(by, number);
            if (remembered.isAwaited(id)) {
                RememberedRequests.Answer<R> answer = answer(reply, at);
                answered(remembered.arrived(id, answer), answer);
            }
        }
    }

    /** Begins the reading of the history, before replies are received: those that {@link #stored} gets come before them. */
    public void beginHistory() {
        remembered.beginHistory();
    }

    /** Receives a message of the last topic that an earlier run has written. */
    public void stored(InboundMessage reply) {
        int at = RequestMark.find(reply.frame());
        UUID id = new UUID(RequestMark.asker(reply.frame(), at), RequestMark.number(reply.frame(), at));
        if (remembered.isUnanswered(id)) {
            remembered.answered(id, answer(reply, at));
        }
    }

    /** Ends the reading of the history. */
    public void endHistory() {
        remembered.endHistory();
    }

    /** Remembers a request of the first topic if it has an id of a client. */
    public void sent(Frame frame) {
        int at = frame.isPlain() ? Extension.NONE : RequestMark.find(frame);
        if (at != Extension.NONE && (RequestMark.asker(frame, at) & VERSION) != 0) {
            remembered.add(
                    new UUID(RequestMark.asker(frame, at), RequestMark.number(frame, at)), environment.nanoTime());
        }
    }

    /** Records that the requests of a partition were passed to {@link #sent} up to a sequence. */
    public void sentUpTo(int partition, long sequence) {
        queues().get(partition).known(sequence);
    }

    /** Decodes with a decoder of its own, because decoders may reuse their values. */
    private RememberedRequests.Answer<R> answer(InboundMessage reply, int at) {
        Optional<R> value = Optional.empty();
        Throwable failure = null;
        int kind = RequestMark.kind(reply.frame(), at);
        try {
            if (kind == RequestMark.MESSAGE) {
                value = Optional.of(replyCodec.checkedDecoder().decode(reply));
            } else if (kind != RequestMark.EMPTY) {
                failure = new RequestFailedException(text(reply));
            }
        } catch (Throwable undecodable) { // of the codec, which must not stop the chain
            failure = undecodable;
        }
        return new RememberedRequests.Answer<>(value, failure, environment.nanoTime());
    }

    private static String text(InboundMessage reply) {
        byte[] bytes = new byte[reply.length()];
        reply.getBytes(0, bytes, 0, bytes.length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Returns the reason for which a queue takes no messages; null if it takes them. */
    private RuntimeException over(InletQueue queue) {
        if (ended != null || !queue.isOver()) {
            return ended;
        }
        Throwable failure = queue.failure();
        return failure == null ? closed("chain " + chain + " was closed") : new ChainFailedException(chain, failure);
    }

    /** Fails the requests that were sent through a queue whose messages no run sends any more. */
    private void end(InletQueue queue) {
        RuntimeException why = over(queue);
        if (queue.failure() == null && ended == null) {
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

    private void takenOver() {
        end(closed("another process has sent messages to chain " + chain
                + " meanwhile, so that resends of its requests are" + " not known here; start the chain again"));
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
