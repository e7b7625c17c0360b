package dev.baton.examples.cards;

import dev.baton.Chain;
import dev.baton.Concurrency;
import dev.baton.Decoder;
import dev.baton.ErrorPolicy;
import dev.baton.KeyedService;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.ServiceContext;
import dev.baton.codec.TypedService;
import dev.baton.jackson.JacksonCodec;
import dev.baton.state.KeyedState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Authorises payments by card: checks each, looks up the limit of its card, adds what the card spent in a minute, and decides. */
public final class CardAuthorisation {
    /** The number of partitions, which is also the largest number of processes that can share the cards. */
    public static final int PARTITIONS = 6;

    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** A payment by card. */
    public record Payment(String id, String card, long cents) {
        /** The codec of payments. */
        public static final JacksonCodec<Payment> CODEC = JacksonCodec.of(1, Payment.class);
    }

    /** A payment with the limit of its card. */
    record Limited(Payment payment, long limit) {
        static final JacksonCodec<Limited> CODEC = JacksonCodec.of(2, Limited.class);
    }

    /** A payment with what its card has spent within a minute, this payment included. */
    record Scored(Payment payment, long limit, long spent) {
        static final JacksonCodec<Scored> CODEC = JacksonCodec.of(3, Scored.class);
    }

    /** The answer to a payment. */
    public record Decision(String id, boolean approved, String reason) {
        /** The codec of decisions. */
        public static final JacksonCodec<Decision> CODEC = JacksonCodec.of(4, Decision.class);
    }

    /** An amount, and the time at which it was spent. */
    record Spending(long nanos, long cents) {}

    /** The payments of a card within a minute. */
    record Window(List<Spending> spent) {
        static final JacksonCodec<Window> CODEC = JacksonCodec.of(5, Window.class);

        Window with(long now, long cents) {
            List<Spending> newest = new ArrayList<>(spent);
            newest.removeIf(each -> now - each.nanos > MINUTE.toNanos());
            newest.add(new Spending(now, cents));
            return new Window(newest);
        }

        long sum() {
            return spent.stream().mapToLong(Spending::cents).sum();
        }
    }

    /** The register of cards, which takes milliseconds to answer. */
    public interface Cards {
        /** {@return the limit of a card in a minute, in cents} */
        long limit(String card) throws IOException, InterruptedException;
    }

    private CardAuthorisation() {}

    /** {@return the chain, for a durable transport} */
    public static Chain chain(Cards cards) {
        ErrorPolicy retried = ErrorPolicy.retry(3)
                .backoff(Duration.ofMillis(200), Duration.ofSeconds(2))
                .thenDeadLetter();
        return Chain.named("cards")
                .then(
                        "validate",
                        TypedService.mapping(Payment.CODEC, Payment.CODEC, CardAuthorisation::validate),
                        ErrorPolicy.deadLetter())
                .then(
                        "enrich",
                        TypedService.mapping(
                                Payment.CODEC,
                                Limited.CODEC,
                                payment -> new Limited(payment, cards.limit(payment.card()))),
                        Concurrency.perKey(64),
                        retried)
                .then("score", Score::new)
                .then("decide", TypedService.mapping(Scored.CODEC, Decision.CODEC, CardAuthorisation::decide))
                .build();
    }

    private static Payment validate(Payment payment) {
        if (payment.cents() <= 0) {
            throw new IllegalArgumentException("payment " + payment.id() + " is of " + payment.cents() + " cents");
        }
        return payment;
    }

    private static final class Score implements KeyedService {
        private final Decoder<Limited> payments = Limited.CODEC.checkedDecoder();
        private KeyedState<String, Window> windows;
        private ServiceContext context;

        @Override
        public void onStart(ServiceContext started) {
            context = started;
            windows = started.state("windows", Window.CODEC);
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            Limited of = payments.decode(in);
            windows.expire(MINUTE, 2);
            Window before = windows.get(of.payment().card());
            Window now = (before == null ? new Window(List.of()) : before)
                    .with(context.time(), of.payment().cents());
            windows.put(of.payment().card(), now);
            out.send(new Scored(of.payment(), of.limit(), now.sum()), Scored.CODEC);
        }
    }

    private static Decision decide(Scored scored) {
        boolean isWithin = scored.spent() <= scored.limit();
        return new Decision(
                scored.payment().id(), isWithin, isWithin ? "" : "more than " + scored.limit() + " cents in a minute");
    }
}
