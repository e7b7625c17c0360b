package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.util.DaemonThreadFactory;
import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.aeron.AeronTransport;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.kafka.KafkaTransport;
import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.logbuffer.FragmentHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import org.agrona.concurrent.UnsafeBuffer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs both programs of each page for users of one library, and compares the page with them. */
@Timeout(60)
class LibraryPagesTest {
    private static final Path PAGES = Path.of("../../docs");
    private static final Path SOURCE = Path.of("src/test/java/dev/baton/lab/LibraryPagesTest.java");
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private final List<Long> booked = new CopyOnWriteArrayList<>();

    @TempDir
    private Path directory;

    private Transport opened;

    /** An order in the Disruptor's ring. */
    static final class Order {
        long quantity;
        long cents;
    }

    @Test
    void disruptorPageShowsProgramsThatRun() throws IOException {
        Disruptor<Order> disruptor = new Disruptor<>(Order::new, 1024, DaemonThreadFactory.INSTANCE);
        disruptor
                .handleEventsWith((order, sequence, isLast) -> order.cents = 25 * order.quantity)
                .then((order, sequence, isLast) -> book(order.quantity, order.cents));
        disruptor.start();
        disruptor.publishEvent((order, sequence) -> order.quantity = 1);
        disruptor.publishEvent((order, sequence) -> order.quantity = 2);
        while (booked.size() < 2) {
            Thread.onSpinWait(); // shutdown() would not wait for consumers that have not begun
        }
        disruptor.shutdown();
        compare("from-disruptor.md", "DisruptorTransport.create()", DisruptorTransport.create());
    }

    @Test
    void chroniclePageShowsProgramsThatRun() throws IOException {
        try (ChronicleQueue orders = ChronicleQueue.single(directory + "/orders");
                ChronicleQueue prices = ChronicleQueue.single(directory + "/prices");
                ExcerptAppender inlet = orders.createAppender();
                ExcerptTailer price = orders.createTailer("price"); // its position moves when the lambda returns
                ExcerptAppender outlet = prices.createAppender();
                ExcerptTailer book = prices.createTailer("book")) {
            inlet.writeBytes(order -> order.writeLong(1));
            inlet.writeBytes(order -> order.writeLong(2));
            while (price.readBytes(order -> {
                long quantity = order.readLong();
                outlet.writeBytes(priced -> priced.writeLong(quantity).writeLong(25 * quantity));
            })) {
                Thread.onSpinWait();
            }
            while (book.readBytes(priced -> book(priced.readLong(), priced.readLong()))) {
                Thread.onSpinWait();
            }
        }
        compare(
                "from-chronicle.md",
                "ChronicleTransport.in(directory)",
                ChronicleTransport.in(directory.resolve("topics")));
    }

    @Test
    void aeronPageShowsProgramsThatRun() throws IOException {
        try (MediaDriver driver = MediaDriver.launchEmbedded(new MediaDriver.Context().dirDeleteOnShutdown(true));
                Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
                Subscription orders = aeron.addSubscription("aeron:ipc", 1);
                Subscription prices = aeron.addSubscription("aeron:ipc", 2);
                Publication inlet = aeron.addExclusivePublication("aeron:ipc", 1);
                Publication outlet = aeron.addExclusivePublication("aeron:ipc", 2)) {
            UnsafeBuffer order = new UnsafeBuffer(new byte[Long.BYTES]);
            for (long quantity = 1; quantity <= 2; quantity++) {
                order.putLong(0, quantity);
                while (inlet.offer(order) < 0) { // NOT_CONNECTED, BACK_PRESSURED, ADMIN_ACTION; never ends if CLOSED
                    Thread.onSpinWait();
                }
            }
            UnsafeBuffer priced = new UnsafeBuffer(new byte[2 * Long.BYTES]);
            FragmentHandler price = (in, offset, length, header) -> {
                priced.putLong(0, in.getLong(offset));
                priced.putLong(Long.BYTES, 25 * in.getLong(offset));
                while (outlet.offer(priced) < 0) {
                    Thread.onSpinWait();
                }
            };
            FragmentHandler book =
                    (in, offset, length, header) -> book(in.getLong(offset), in.getLong(offset + Long.BYTES));
            for (int handled = 0; handled < 2; ) {
                orders.poll(price, 10);
                handled += prices.poll(book, 10);
            }
        }
        compare("from-aeron.md", "AeronTransport.open()", AeronTransport.open());
    }

    @Test
    @Tag("long")
    @Tag("slow")
    void kafkaPageShowsProgramsThatRun() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
            String servers = kafka.bootstrapServers();
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
                admin.createTopics(List.of(new NewTopic("orders", 1, (short) 1), new NewTopic("prices", 1, (short) 1)))
                        .all()
                        .get();
            }
            runWithKafka(servers);
            compare("from-kafka.md", "KafkaTransport.at(\"localhost:9092\")", KafkaTransport.at(servers));
        }
    }

    private void runWithKafka(String servers) {
        Map<String, Object> reading =
                Map.of("bootstrap.servers", servers, "group.id", "price", "auto.offset.reset", "earliest");
        Map<String, Object> writing = Map.of("bootstrap.servers", servers, "transactional.id", "price-1");
        ByteArraySerializer bytes = new ByteArraySerializer();
        ByteArrayDeserializer read = new ByteArrayDeserializer();
        try (KafkaProducer<byte[], byte[]> inlet =
                        new KafkaProducer<>(Map.of("bootstrap.servers", servers), bytes, bytes);
                KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(reading, read, read);
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(writing, bytes, bytes)) {
            inlet.send(new ProducerRecord<>("orders", order(1)));
            inlet.send(new ProducerRecord<>("orders", order(2)));
            inlet.flush();
            int left = 2;
            producer.initTransactions();
            consumer.subscribe(List.of("orders"));
            while (left > 0) {
                ConsumerRecords<byte[], byte[]> orders = consumer.poll(Duration.ofMillis(100));
                producer.beginTransaction();
                orders.forEach(
                        order -> producer.send(new ProducerRecord<>("prices", order.key(), priced(order.value()))));
                producer.sendOffsetsToTransaction(orders.nextOffsets(), consumer.groupMetadata());
                producer.commitTransaction(); // on failure: abort, seek back; if fenced: close
                left -= orders.count();
            }
        }
        try (KafkaConsumer<byte[], byte[]> book = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        servers,
                        "group.id",
                        "book",
                        "auto.offset.reset",
                        "earliest",
                        "isolation.level",
                        "read_committed"),
                read,
                read)) {
            book.subscribe(List.of("prices"));
            while (booked.size() < 2) {
                book.poll(Duration.ofMillis(100)).forEach(priced -> {
                    ByteBuffer in = ByteBuffer.wrap(priced.value()).order(ByteOrder.LITTLE_ENDIAN);
                    book(in.getLong(0), in.getLong(Long.BYTES));
                });
            }
        }
    }

    private void runWithBaton() {
        Chain orders = Chain.named("orders")
                .then("price", () -> (in, out) -> {
                    long quantity = in.getLong(0);
                    out.claim(16).putLong(0, quantity).putLong(8, 25 * quantity).commit(16);
                })
                .build();
        try (Transport transport = opened;
                Loops loops = Loops.cooperative(1);
                RunningChain running = orders.on(transport)
                        .with(loops)
                        .onOutput(in -> book(in.getLong(0), in.getLong(8)))
                        .start()) {
            running.inlet().send(order(1));
            running.inlet().send(order(2));
        } // waits until both are handled
    }

    /** Runs Baton's program as well, after the library's, and compares the page with both. */
    private void compare(String page, String opening, Transport transport) throws IOException {
        assertThat(booked).containsExactly(25L, 50L);
        booked.clear();
        opened = transport;
        runWithBaton();
        assertThat(booked).containsExactly(25L, 50L);
        String source = words(Files.readString(SOURCE));
        assertThat(JAVA.matcher(Files.readString(PAGES.resolve(page))).results())
                .hasSize(2)
                .allSatisfy(block -> assertThat(source)
                        .contains(words(block.group(1)).replace("transport = " + opening, "transport = opened")));
    }

    private static String words(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    private void book(long quantity, long cents) {
        assertThat(cents).isEqualTo(25 * quantity);
        booked.add(cents);
    }

    private static byte[] order(long quantity) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(quantity)
                .array();
    }

    private static byte[] priced(byte[] order) {
        long quantity = ByteBuffer.wrap(order).order(ByteOrder.LITTLE_ENDIAN).getLong();
        return ByteBuffer.allocate(2 * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(quantity)
                .putLong(25 * quantity)
                .array();
    }
}
