package dev.baton.sbe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.baton.ConfigurationException;
import dev.baton.Decoder;
import dev.baton.ErrorPolicy;
import dev.baton.Message;
import dev.baton.MessageFields;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.ServiceFailure;
import dev.baton.codec.RoutingService;
import dev.baton.sbe.orders.BookingDecoder;
import dev.baton.sbe.orders.BookingEncoder;
import dev.baton.sbe.orders.MessageHeaderDecoder;
import dev.baton.sbe.orders.OrderDecoder;
import dev.baton.sbe.orders.OrderEncoder;
import dev.baton.test.Output;
import dev.baton.test.ServiceTester;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.sbe.MessageDecoderFlyweight;
import org.junit.jupiter.api.Test;

/** Messages that services read and write in place. */
class SbeTest {
    static final SbeCodec<OrderDecoder> ORDER = SbeCodec.of(OrderDecoder::new);
    static final SbeCodec<BookingDecoder> BOOKING = SbeCodec.of(BookingDecoder::new);
    static final SbeCodec<dev.baton.sbe.first.OrderDecoder> FIRST_ORDER =
            SbeCodec.of(dev.baton.sbe.first.OrderDecoder::new);

    /** Sums what an order's fills cost. */
    static final class Book implements Service {
        private final Decoder<OrderDecoder> orders = ORDER.checkedDecoder();
        private final SbeWriter<BookingEncoder> bookings = SbeWriter.of(new BookingEncoder());

        @Override
        public void onMessage(Message in, Outlet out) {
            OrderDecoder order = orders.decode(in);
            long cents = 0;
            for (OrderDecoder.FillsDecoder fill : order.fills()) {
                cents += fill.cents();
            }
            bookings.claim(out).id(order.id()).cents(cents);
            bookings.commit();
        }
    }

    private static final SbeWriter<OrderEncoder> ORDERS = SbeWriter.of(new OrderEncoder(), 100);

    /** Sends an order of the second version. */
    static void send(ServiceTester to, long id, String symbol, long... cents) {
        OrderEncoder order = ORDERS.tryClaim(to.inlet()).id(id).quantity(3).currency(978);
        OrderEncoder.FillsEncoder fills = order.fillsCount(cents.length);
        for (long each : cents) {
            fills.next().cents(each).venue(5);
        }
        order.symbol(symbol);
        ORDERS.commit();
        to.start(); // and runs pending work
    }

    static ServiceTester forwarding() {
        return ServiceTester.of(() -> (in, out) -> out.forward(in)).start();
    }

    private static <D extends MessageDecoderFlyweight> D read(Output message, SbeCodec<D> codec) {
        return codec.checkedDecoder().decode(message);
    }

    @Test
    void aServiceReadsAndWritesInPlace() {
        try (ServiceTester tester = ServiceTester.of(Book::new).start()) {
            send(tester, 7, "ACME", 50, 25);

            Output booked = tester.takeOne();
            assertThat(booked.type()).isEqualTo(BookingDecoder.TEMPLATE_ID);
            assertThat(booked.length()).isEqualTo(8 + BookingDecoder.BLOCK_LENGTH);
            assertThat(read(booked, BOOKING).id()).isEqualTo(7);
            assertThat(read(booked, BOOKING).cents()).isEqualTo(75);
        }
    }

    @Test
    void payloadMatchesSbeHeader() {
        try (ServiceTester tester = forwarding()) {
            send(tester, 7, "Ä", 50);

            UnsafeBuffer bytes = new UnsafeBuffer(tester.takeOne().bytes());
            OrderDecoder order = new OrderDecoder().wrapAndApplyHeader(bytes, 0, new MessageHeaderDecoder());
            assertThat(order.id()).isEqualTo(7);
            assertThat(order.quantity()).isEqualTo(3);
            assertThat(order.currency()).isEqualTo(978);
            assertThat(order.fills().next().cents()).isEqualTo(50);
            assertThat(order.symbol()).isEqualTo("Ä");
            assertThat(bytes.capacity()).isEqualTo(8 + order.encodedLength());
        }
    }

    @Test
    void earlierVersionSkipsNewFields() {
        try (ServiceTester tester = forwarding()) {
            send(tester, 7, "ACME", 50, 25);

            var order = read(tester.takeOne(), FIRST_ORDER);
            assertThat(order.quantity()).isEqualTo(3);
            List<Long> cents = new ArrayList<>();
            order.fills().forEach(fill -> cents.add(fill.cents()));
            assertThat(cents).containsExactly(50L, 25L);
            assertThat(order.symbol()).isEqualTo("ACME");
        }
    }

    @Test
    void newFieldsAreNullInEarlierMessages() {
        var writer = SbeWriter.of(new dev.baton.sbe.first.OrderEncoder(), 100);
        try (ServiceTester tester = forwarding()) {
            var order = writer.tryClaim(tester.inlet()).id(7).quantity(3);
            order.fillsCount(1).next().cents(50);
            order.symbol("ACME");
            writer.commit();

            OrderDecoder read = read(tester.start().takeOne(), ORDER);
            assertThat(read.currency()).isEqualTo(OrderDecoder.currencyNullValue());
            OrderDecoder.FillsDecoder fill = read.fills().next();
            assertThat(fill.cents()).isEqualTo(50);
            assertThat(fill.venue()).isEqualTo(OrderDecoder.FillsDecoder.venueNullValue());
            assertThat(read.symbol()).isEqualTo("ACME");
        }
    }

    @Test
    void readMessageCanBeSentAgain() {
        RoutingService copying = RoutingService.byType().on(ORDER, (order, out) -> {
            order.fills().next();
            out.send(order, ORDER);
        });
        try (ServiceTester tester = ServiceTester.of(copying).start()) {
            send(tester, 7, "ACME", 50, 25);

            OrderDecoder order = read(tester.takeOne(), ORDER);
            assertThat(order.id()).isEqualTo(7);
            assertThat(order.fills().count()).isEqualTo(2);

            OrderDecoder nowhere = new OrderDecoder().wrap(new UnsafeBuffer(new byte[100]), 8, 16, 1);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> tester.send(nowhere, ORDER))
                    .withMessageContaining("is not over a message with its header in front");
        }
    }

    /** The service in between was built with the second version of the schema, its neighbours with the third. */
    @Test
    void copyKeepsWhatNewerVersionsAdd() {
        var codec = SbeCodec.of(dev.baton.sbe.third.OrderDecoder::new);
        var writer = SbeWriter.of(new dev.baton.sbe.third.OrderEncoder(), 100);
        RoutingService copying = RoutingService.byType().on(ORDER, (order, out) -> out.send(order, ORDER));
        try (ServiceTester tester = ServiceTester.of(copying).start()) {
            var order = writer.tryClaim(tester.inlet()).id(7).quantity(3).currency(978);
            order.fillsCount(1).next().cents(50).venue(5);
            order.symbol("ACME").note("gift");
            writer.commit();

            var read = read(tester.start().takeOne(), codec);
            assertThat(read.fills().next().cents()).isEqualTo(50);
            assertThat(read.symbol()).isEqualTo("ACME");
            assertThat(read.note()).isEqualTo("gift");
        }
    }

    @Test
    void otherMessagesAreRefusedByName() {
        byte[] order;
        try (ServiceTester tester = forwarding()) {
            send(tester, 7, "ACME", 50, 25);
            order = tester.takeOne().bytes();
        }
        refused(Arrays.copyOf(order, 7), "it ends within the header");
        refused(Arrays.copyOf(order, 20), "it ends within its block of 16 bytes");
        refused(Arrays.copyOf(order, 26), "it ends within a group or variable data");
        refused(Arrays.copyOf(order, order.length - 1), "it ends within a group or variable data");
        refused(altered(order, 0, 15), "its block has 15 bytes, in version 1 it has 16 or more");
        refused(altered(order, 24, 300), "it ends within a group or variable data");
    }

    @Test
    void otherTemplatesAndSchemasStopTheChain() {
        byte[] order;
        try (ServiceTester tester = forwarding()) {
            send(tester, 7, "ACME", 50, 25);
            order = tester.takeOne().bytes();
        }
        stopped(
                altered(order, 2, 9),
                "its header has template 9 of schema 42, the decoder reads template 7 of schema 42");
        stopped(altered(order, 4, 1), "its header has template 7 of schema 1,");
    }

    private static void stopped(byte[] payload, String reason) {
        try (ServiceTester tester = ServiceTester.of(Book::new).onError(ErrorPolicy.deadLetter())) {
            assertThatExceptionOfType(ServiceFailure.class)
                    .isThrownBy(() -> tester.send(payload, ORDER.type()))
                    .withCauseInstanceOf(ConfigurationException.class)
                    .withMessageContaining(reason);
        }
    }

    private static byte[] altered(byte[] message, int at, int value) {
        byte[] altered = message.clone();
        ByteBuffer.wrap(altered).order(ByteOrder.LITTLE_ENDIAN).putShort(at, (short) value);
        return altered;
    }

    private static void refused(byte[] payload, String reason) {
        try (ServiceTester tester = ServiceTester.of(Book::new).onError(ErrorPolicy.deadLetter())) {
            tester.send(payload, ORDER.type());

            assertThat(tester.deadLetters())
                    .singleElement()
                    .satisfies(letter -> assertThat(letter.text())
                            .startsWith("message 1 of topic test-0 (type 7, " + payload.length
                                    + " bytes) is not for dev.baton.sbe.orders.OrderDecoder: " + reason));
        }
    }

    @Test
    void encoderBeyondItsClaimSendsNothing() {
        SbeWriter<OrderEncoder> small = SbeWriter.of(new OrderEncoder(), 6);
        try (ServiceTester tester = forwarding()) {
            OrderEncoder order = small.tryClaim(tester.inlet());
            order.fillsCount(0);
            assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> order.symbol("ACME"));
            small.abort();
            small.abort();

            assertThatIllegalStateException().isThrownBy(small::commit).withMessageContaining("claim first");
            assertThat(tester.start().take()).isEmpty();
        }
    }

    @Test
    void aWriterHasRoomForAKey() {
        SbeWriter<BookingEncoder> bookings = SbeWriter.of(new BookingEncoder());
        Service keyed = (in, out) -> {
            bookings.over(out.claim(bookings.maxLength(), ByteBuffer.wrap(new byte[] {1})))
                    .id(1)
                    .cents(2);
            bookings.commit();
        };
        try (ServiceTester tester = ServiceTester.of(() -> keyed)) {
            Output booked = tester.send(new byte[0]).takeOne();
            assertThat(booked.key().get(0)).isEqualTo((byte) 1);
            assertThat(read(booked, BOOKING).cents()).isEqualTo(2);
            assertThat(bookings.over(null)).isNull();
        }
    }

    @Test
    void claimsKeepTheKeyOfTheInput() {
        ByteBuffer key = ByteBuffer.wrap(new byte[] {1});
        SbeWriter<BookingEncoder> bookings = SbeWriter.of(new BookingEncoder());
        Service booking = (in, out) -> {
            bookings.claim(out).id(1).cents(2);
            bookings.commit();
        };
        try (ServiceTester tester = ServiceTester.of(() -> booking)) {
            tester.inlet()
                    .tryClaim(1, new MessageFields().originNanos(1).key(key))
                    .commit(1);
            Output booked = tester.start().takeOne();
            assertThat(booked.key()).isEqualTo(key);
            assertThat(read(booked, BOOKING).cents()).isEqualTo(2);
        }
    }

    @Test
    void negativeRoomIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SbeWriter.of(new OrderEncoder(), -1))
                .withMessage("variableBytes -1; 0 or more is allowed");
    }
}
