package dev.baton.lab.study.chaos;

import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.MessageFields;
import dev.baton.Requests;
import dev.baton.RunningChain;
import dev.baton.ValueCodec;
import dev.baton.lab.study.chaos.audit.ProvidedNumbers;
import dev.baton.run.Loops;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.agrona.CloseHelper;

/**
 * The sender of a chain whose messages are requests: it asks on the schedule of {@link SendingEnd}, and checks that each reply is the output
 * for its request. A request without a reply is no error, as processes are killed. Threads as its parent; replies come on a loop.
 */
final class AskingEnd extends ChainEnd {
    private static final int MOST_OPEN = 4096;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final ProvidedNumbers provided;
    private final ProvidedNumbers.Slots slots;
    private final AtomicLong replied = new AtomicLong(); // newest message with a reply, which is stored
    private final AtomicLong replies = new AtomicLong();
    private final AtomicLong failures = new AtomicLong(); // requests that were sent and got no reply
    private Requests<Long, Long> requests; // null while closed
    private long next;
    private long told;

    AskingEnd(Plan plan) {
        super(plan);
        provided = plan.numbers();
        slots = new ProvidedNumbers.Slots(plan.baseNanos(), plan.intervalNanos());
    }

    /** Requests by the numbers of their messages, and replies: the number of a right output, or 0. */
    private final class Numbers implements ValueCodec<Long> {
        @Override
        public int maxLength(Long number) {
            return provided.maxPayload();
        }

        @Override
        public int encode(Long number, Claim into) {
            return provided.write(number, into);
        }

        @Override
        public Long decode(Message from) {
            long number = slots.number(from.originNanos());
            return provided.isWhole(number, from) ? number : 0L;
        }
    }

    @Override
    RunningChain start(Transport transport, Loops loops, Consumer<Throwable> onFailure) {
        RunningChain running = deployment(transport, loops, onFailure).start();
        try {
            Numbers codec = new Numbers();
            requests = running.requests(codec, codec, MOST_OPEN);
            try (TopicInspector first = transport.inspect(ChainScenario.topic(0))) {
                next = first.newestSequence() + 1; // behind the fence of the open inlet
            }
            return running;
        } catch (RuntimeException failure) {
            beforeClose();
            running.close(Duration.ZERO);
            throw failure;
        }
    }

    @Override
    void tell(RunningChain running) {
        if (!hasBegun) {
            hasBegun = true;
            System.out.println(SendingEnd.SenderWords.began(next, plan.baseNanos()));
        }
        while (requests != null
                && plan.baseNanos() + (next - 1) * plan.intervalNanos() <= System.nanoTime()
                && ask(next)) {
            next++;
        }
        long stored = replied.get();
        if (stored > told) {
            told = stored;
            System.out.println(SendingEnd.SenderWords.stored(stored));
            System.out.println(SendingEnd.SenderWords.replied(replies.get(), failures.get()));
        }
    }

    /** Sends a request. Returns false if it was refused. */
    private boolean ask(long number) {
        long origin = plan.baseNanos() + (number - 1) * plan.intervalNanos();
        CompletableFuture<Optional<Long>> reply =
                requests.ask(number, new MessageFields().originNanos(origin), TIMEOUT);
        if (reply.isCompletedExceptionally()) {
            return false;
        }
        reply.whenComplete((output, failure) -> {
            if (failure != null) {
                failures.incrementAndGet();
            } else if (output.isPresent() && output.get() == number) {
                replies.incrementAndGet();
                replied.accumulateAndGet(number, Math::max);
            } else {
                System.out.println(SendingEnd.SenderWords.WRONG + number + ": " + output);
            }
        });
        return true;
    }

    @Override
    void beforeClose() {
        CloseHelper.quietClose(requests);
        requests = null;
    }
}
