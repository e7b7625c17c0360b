package dev.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.ErrorPolicy;
import dev.baton.ServiceContext;
import dev.baton.UnexpectedTypeException;
import dev.baton.examples.EvolvingOrders.Cancel;
import dev.baton.examples.EvolvingOrders.FirstOrder;
import dev.baton.examples.orders.Order;
import dev.baton.examples.orders.OrderPipeline;
import dev.baton.examples.orders.RejectedOrder;
import dev.baton.test.BatonTest;
import dev.baton.test.ChainTester;
import dev.baton.test.NotRepeatableError;
import dev.baton.test.Output;
import dev.baton.test.ServiceTester;
import dev.baton.test.Testers;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The services of every example, each alone in memory: their outputs, and the repeated outputs after a restart. */
@BatonTest
class ExampleServicesTest {
    private static final Path PAGE = Path.of("../docs/testing.md");

    @Test
    void theFiveServicesPassEveryMessageOn(Testers testers) {
        ChainTester five = testers.of(Example01FiveServiceChain.chain());
        five.send(bytes(1)).send(bytes(2));
        assertThat(five.take())
                .allSatisfy(out -> assertThat(out.servicesPassed()).isEqualTo(5))
                .extracting(out -> out.getLong(0))
                .containsExactly(1L, 2L);
        five.assertRepeatable();
    }

    @Test
    void theOrderPipelineRejectsPricesAndDrops(Testers testers) {
        List<String> rejected = new ArrayList<>();
        ErrorPolicy reject = ErrorPolicy.stop()
                .on(
                        RejectedOrder.class,
                        ErrorPolicy.skipTo((service, in, attempts, cause) ->
                                rejected.add(service + " " + in.getLong(0) + ": " + cause.getMessage())));
        ChainTester pipeline = testers.of(OrderPipeline.chain(reject));
        pipeline.send(order(1, "BTN", 10), Order.Wire.INSTANCE)
                .send(order(2, "", 10), Order.Wire.INSTANCE)
                .send(order(3, "BTN", 0), Order.Wire.INSTANCE)
                .send(order(4, "BTN", 1_000_000), Order.Wire.INSTANCE);
        Order booked = pipeline.takeOne(Order.Wire.INSTANCE);
        assertThat(booked.id).isEqualTo(1);
        assertThat(booked.currency).isEqualTo(978);
        assertThat(booked.priceCents).isEqualTo(9_901);
        assertThat(booked.exposureCents).isEqualTo(99_010);
        assertThat(pipeline.take()).isEmpty();
        assertThat(pipeline.sentBy("price")).hasSize(2);
        assertThat(rejected).containsExactly("validate 2: no symbol", "validate 3: quantity 0");
        pipeline.assertRepeatable();
    }

    @Test
    void theSharedServicePassesOrdersOn(Testers testers) {
        ChainTester shared = testers.of(Example04SharedService.chain());
        assertThat(shared.send(bytes(7)).takeOne().bytes()).isEqualTo(bytes(7));
        shared.assertRepeatable();
    }

    @Test
    void sumsSurviveKillOfEachProcess(Testers testers) {
        ChainTester sums = testers.of(Example05OneProcessPerService.CHAIN);
        for (long n = 1; n <= 20; n++) {
            sums.send(bytes(n)).crash();
        }
        assertThat(sums.take()).extracting(out -> out.getLong(0)).hasSize(20).startsWith(-1L, -3L, -5L);
        sums.assertRepeatable();
    }

    @Test
    void secondReleaseBooksOrdersOfBoth(Testers testers) {
        ChainTester release = testers.of(Example06EvolvingOrders.chain())
                .onError(ErrorPolicy.stop().on(UnexpectedTypeException.class, ErrorPolicy.deadLetter()));
        release.send(new FirstOrder(1, 10), FirstOrder.CODEC)
                .send(new EvolvingOrders.Order(2, 20, 756), EvolvingOrders.Order.CODEC)
                .send(new Cancel(1), Cancel.CODEC)
                .send(bytes(3), 99);
        List<Output> booked = release.take();
        assertThat(booked)
                .extracting(out -> out.value(EvolvingOrders.Order.CODEC))
                .containsExactly(new EvolvingOrders.Order(1, 10, 978), new EvolvingOrders.Order(2, 20, 756));
        assertThat(StandardCharsets.UTF_8.decode(booked.get(1).key()).toString())
                .isEqualTo("order-2");
        assertThat(release.deadLetters("book"))
                .singleElement()
                .satisfies(letter -> assertThat(letter.type()).isEqualTo(99));
        release.assertRepeatable();
    }

    @Test
    void testClassOfTestingPageRuns() throws IOException {
        String page = Files.readString(PAGE);
        String source = Files.readString(Path.of("src/test/java/dev/baton/examples/TotalsTest.java"));
        String withoutImports = source.substring(source.indexOf("@BatonTest"));
        assertThat(page).contains("```java\n" + withoutImports.strip() + "\n```");
    }

    @Test
    void errorOfTestingPageIsReal() throws IOException {
        try (ServiceTester totals = ServiceTester.of("Totals", ForgetfulTotals::new)) {
            for (long i = 1; i <= 20; i++) {
                totals.send(bytes(i));
            }
            NotRepeatableError error = catchThrowableOfType(NotRepeatableError.class, totals::assertRepeatable);
            assertThat(Files.readString(PAGE)).contains("```\n" + error.getMessage() + "\n```");
        }
    }

    /** The service of the page without holding its inputs. */
    private static final class ForgetfulTotals extends TotalsTest.Totals {
        @Override
        public boolean holdsInputs() {
            return false;
        }

        @Override
        public void onStart(ServiceContext given) {
            super.onStart((ServiceContext) Proxy.newProxyInstance(
                    ServiceContext.class.getClassLoader(),
                    new Class<?>[] {ServiceContext.class},
                    (proxy, method, args) -> null));
        }
    }

    private static Order order(long id, String symbol, int quantity) {
        Order order = new Order().symbol(symbol);
        order.id = id;
        order.quantity = quantity;
        order.limitCents = 10_000;
        return order;
    }

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(number)
                .array();
    }
}
