package dev.baton.examples;

import dev.baton.Claim;
import dev.baton.Codec;
import dev.baton.Message;
import dev.baton.ValueCodec;
import java.nio.charset.StandardCharsets;

/** The payload and the state of {@link Example09CardWindows}. */
final class CardPayments {
    private CardPayments() {}

    /** A payment with a card. */
    record Payment(String card, long cents) {
        static final ValueCodec<Payment> CODEC = new ValueCodec<>() {
            @Override
            public int maxLength(Payment value) {
                return Long.BYTES + value.card.length();
            }

            @Override
            public int encode(Payment value, Claim into) {
                byte[] card = value.card.getBytes(StandardCharsets.US_ASCII);
                into.putLong(0, value.cents).putBytes(Long.BYTES, card, 0, card.length);
                return Long.BYTES + card.length;
            }

            @Override
            public Payment decode(Message from) {
                byte[] card = new byte[from.length() - Long.BYTES];
                from.getBytes(Long.BYTES, card, 0, card.length);
                return new Payment(new String(card, StandardCharsets.US_ASCII), from.getLong(0));
            }
        };
    }

    /** The newest payments of one card: a mutable value. */
    static final class Window {
        private static final int SIZE = 4;

        static final Codec<Window> CODEC = new Codec<>() {
            @Override
            public Window newInstance() {
                return new Window();
            }

            @Override
            public int maxLength(Window value) {
                return SIZE * Long.BYTES;
            }

            @Override
            public int encode(Window value, Claim into) {
                for (int i = 0; i < SIZE; i++) {
                    into.putLong(i * Long.BYTES, value.cents[i]);
                }
                return SIZE * Long.BYTES;
            }

            @Override
            public void decode(Message from, Window into) {
                for (int i = 0; i < SIZE; i++) {
                    into.cents[i] = from.getLong(i * Long.BYTES);
                }
            }
        };

        private final long[] cents = new long[SIZE];

        /** Replaces the oldest payment; returns the sum of the newest ones. */
        long add(long next) {
            long sum = next;
            for (int i = 1; i < SIZE; i++) {
                sum += cents[i];
                cents[i - 1] = cents[i];
            }
            cents[SIZE - 1] = next;
            return sum;
        }
    }
}
