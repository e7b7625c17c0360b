package dev.baton.examples.tutorial;

import dev.baton.Chain;
import dev.baton.Decoder;
import dev.baton.ErrorPolicy;
import dev.baton.KeyedService;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.ServiceContext;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.codec.TypedService;
import dev.baton.examples.tutorial.Step1Chain.Order;
import dev.baton.examples.tutorial.Step1Chain.Priced;
import dev.baton.jackson.JacksonCodec;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import dev.baton.state.KeyedState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** Step 3: state and errors. */
public final class Step3State {
    /** The reply: the price of an order, and of all orders of its customer so far. */
    record Receipt(long id, long cents, long total) {
        static final JacksonCodec<Receipt> CODEC = JacksonCodec.of(3, Receipt.class);
    }

    /** The state of a customer. */
    record Account(long total) {
        static final JacksonCodec<Account> CODEC = JacksonCodec.of(4, Account.class);
    }

    private Step3State() {}

    static Chain chain() {
        ErrorPolicy letters = ErrorPolicy.retry(2).after(Duration.ofMillis(100)).thenDeadLetter(Step3State::print);
        return Chain.named("orders")
                .then("check", TypedService.mapping(Order.CODEC, Order.CODEC, Step1Chain::check))
                .then("price", TypedService.mapping(Order.CODEC, Priced.CODEC, Step1Chain::price), letters)
                .then("total", Total::new)
                .build();
    }

    private static void print(String service, Message in, int attempts, Throwable cause) {
        String key = StandardCharsets.UTF_8.decode(in.key()).toString();
        System.out.println(service + " gave up " + Order.CODEC.decode(in) + " with key " + key + " after " + attempts
                + " attempts: " + cause.getMessage());
    }

    private static final class Total implements KeyedService {
        private final Decoder<Priced> orders = Priced.CODEC.checkedDecoder();
        private KeyedState<String, Account> accounts;

        @Override
        public void onStart(ServiceContext context) {
            accounts = context.state("accounts", Account.CODEC);
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            Priced order = orders.decode(in);
            Account account = accounts.get(order.customer());
            long total = order.cents() + (account == null ? 0 : account.total());
            accounts.put(order.customer(), new Account(total));
            out.send(new Receipt(order.id(), order.cents(), total), Receipt.CODEC);
        }
    }

    /** Answers orders with receipts: the port, then the directory of the topics. */
    public static void main(String[] args) throws IOException {
        try (Stop stop = Stop.onSignal();
                Transport transport = ChronicleTransport.in(Path.of(args[1]));
                Loops loops = Loops.cooperative(1)) {
            Step2Front.serve(chain().on(transport).with(loops), Receipt.CODEC, Integer.parseInt(args[0]), stop);
        }
    }
}
