package dev.baton.lab.study.chaos;

import dev.baton.Chain;
import dev.baton.Concurrency;
import dev.baton.KeyedService;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.ServiceContext;
import dev.baton.ValueCodec;
import dev.baton.chains.ChainProvider;
import dev.baton.chains.ProvidedChain;
import dev.baton.chains.ProvidedChain.MessageGenerator;
import dev.baton.chains.ProvidedChain.OutputCheck;
import dev.baton.measuring.Mix;
import dev.baton.state.KeyedState;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;

/**
 * The chain {@code accounts}, for fault tests: payments get the key of their account, wait in concurrent calls, and are added to the balance
 * of the account in keyed state. An output with a wrong balance shows a payment that was lost, doubled or booked out of order.
 * Thread-safe.
 */
public final class AccountsProvider implements ChainProvider {
    private static final ValueCodec<Long> AMOUNTS = ValueCodec.longs(0);
    private static final int ACCOUNTS = 64;
    private static final int AMOUNT_AT = Long.BYTES;
    private static final int BALANCE_AT = 2 * Long.BYTES;
    private static final int PAYMENT_BYTES = 2 * Long.BYTES;
    private static final int BOOKED_BYTES = 3 * Long.BYTES;
    private static final int MOST_CALLS = 64;
    private static final long MOST_AMOUNT = 1_000;
    private static final int PAYLOAD_BYTES = 128; // of a snapshot's frames, and with keys and requests

    @Override
    public String name() {
        return "accounts";
    }

    @Override
    public String summary() {
        return "payments are routed by account, checked in concurrent calls of 1 ms, and booked in keyed state";
    }

    @Override
    public ProvidedChain open(Map<String, String> options) {
        if (!options.isEmpty()) {
            throw new IllegalArgumentException("accounts: it has no options; remove " + options.keySet());
        }
        return new Accounts();
    }

    private record Accounts() implements ProvidedChain {
        @Override
        public Chain chain() {
            return Chain.named("accounts")
                    .then("route", () -> AccountsProvider::route)
                    .then("check", () -> AccountsProvider::check, Concurrency.perKey(MOST_CALLS))
                    .then("book", Booking::new)
                    .build();
        }

        @Override
        public int maxPayload() {
            return PAYLOAD_BYTES;
        }

        @Override
        public MessageGenerator generator(long seed, int instance) {
            return (number, into) -> {
                into.putLong(0, account(seed + instance, number)).putLong(AMOUNT_AT, amount(seed + instance, number));
                return PAYMENT_BYTES;
            };
        }

        @Override
        public OutputCheck check(long seed, int instance) {
            return new Balances(seed + instance);
        }
    }

    private static long account(long seed, long number) {
        return Math.floorMod(Mix.of(seed, number), ACCOUNTS);
    }

    private static long amount(long seed, long number) {
        return Math.floorMod(Mix.of(seed + 1, number), MOST_AMOUNT);
    }

    private static void route(Message in, Outlet out) {
        ByteBuffer key = ByteBuffer.allocate(Long.BYTES).putLong(0, in.getLong(0));
        out.claim(PAYMENT_BYTES, key)
                .putLong(0, in.getLong(0))
                .putLong(AMOUNT_AT, in.getLong(AMOUNT_AT))
                .commit(PAYMENT_BYTES);
    }

    private static void check(Message in, Outlet out) throws InterruptedException {
        Thread.sleep(1);
        out.forward(in);
    }

    /** Books payments: the balances of accounts are its state. */
    private static final class Booking implements KeyedService {
        private KeyedState<String, Long> balances;

        @Override
        public void onStart(ServiceContext context) {
            balances = context.state("balances", AMOUNTS);
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            String account = Long.toString(in.getLong(0));
            Long before = balances.get(account);
            long balance = (before == null ? 0 : before) + in.getLong(AMOUNT_AT);
            balances.put(account, balance);
            out.claim(BOOKED_BYTES)
                    .putLong(0, in.getLong(0))
                    .putLong(AMOUNT_AT, in.getLong(AMOUNT_AT))
                    .putLong(BALANCE_AT, balance)
                    .commit(BOOKED_BYTES);
        }
    }

    /** The balances that outputs must have, computed once for each number. Confined to one thread. */
    private static final class Balances implements OutputCheck {
        private final long seed;
        private final long[] newest = new long[ACCOUNTS];
        private long[] after = new long[1024]; // balance of its account, by the number of a payment
        private int count;

        Balances(long seed) {
            this.seed = seed;
        }

        @Override
        public String fault(long number, int index, Message output) {
            for (; count <= number; count++) {
                if (count == after.length) {
                    after = Arrays.copyOf(after, 2 * count);
                }
                after[count] = newest[(int) account(seed, count)] += amount(seed, count);
            }
            if (output.length() != BOOKED_BYTES || output.getLong(0) != account(seed, number)) {
                return "not the payment of account " + account(seed, number);
            }
            long balance = output.getLong(BALANCE_AT);
            return balance == after[(int) number] ? null : "balance " + balance + " instead of " + after[(int) number];
        }
    }
}
