package dev.baton.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.Message;
import dev.baton.MessageFields;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.TickingService;
import dev.baton.chains.ProvidedChain.MessageGenerator;
import dev.baton.chronicle.ChronicleProvider;
import dev.baton.examples.orders.OrdersProvider;
import dev.baton.operations.Operations;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.terminal.Terminal;
import dev.baton.run.Loops;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code baton replay} and {@code baton trace} print, and their exit codes. */
class ReplayCommandTest {
    private static final int ORDER_BYTES = 48;
    private static final int PRICE = 32;

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void record() {
        MessageGenerator book = new OrdersProvider().open(Map.of()).generator(1, 0);
        Chain chain = new OrdersProvider().open(Map.of()).chain();
        Chain recorded = chain.decorated((name, real) -> !name.equals("book")
                ? real
                : (in, out) -> {
                    if (in.sequence() == 150) { // as a build did that charged a cent more
                        out.claim(ORDER_BYTES)
                                .putPayload(in)
                                .putLong(PRICE, in.getLong(PRICE) + 1)
                                .commit(ORDER_BYTES);
                    } else {
                        real.onMessage(in, out);
                    }
                });
        try (Transport transport = new ChronicleProvider().open(Map.of("dir", directory.toString()))) {
            new Recording(transport, Duration.ofMillis(100)).of(recorded, book, ORDER_BYTES, 300);
        }
    }

    private int run(String command, String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        Console console =
                new Console(new PrintWriter(out), new PrintWriter(err), new Terminal(false, false, 80, false));
        return Operations.commandLine(console, KnownTransports.onClassPath(), new Interruption())
                .execute(Stream.concat(Stream.of(command), Stream.of(arguments)).toArray(String[]::new));
    }

    @Test
    void differenceIsShownWithFramesAndInputs() throws Exception {
        assertThat(run("replay", "--chain", "orders", "--only", "price,risk", directory.toString()))
                .as(err + " " + out)
                .isZero();
        assertThat(out.toString()).contains("price", "the same").doesNotContain("DIFFERS");

        assertThat(run("replay", "--chain", "orders", directory.toString())).isEqualTo(1);
        assertThat(out.toString())
                .contains(
                        "DIFFERS",
                        "differs at input 150 of topic orders-4",
                        "payloads differ from byte 32",
                        "input 148:")
                .doesNotContain("A second replay");
        assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);

        assertThat(run("replay", "--chain", "orders", "--only", "book", "--json", directory.toString()))
                .isEqualTo(1);
        JsonNode service =
                new ObjectMapper().readTree(out.toString()).path("services").get(0);
        assertThat(service.path("difference").path("cause").asLong()).isEqualTo(150);
        assertThat(service.path("deterministic").asBoolean()).isTrue();
        assertThat(run("replay", "--chain", "orders", "--only", "book", "--until", "149", directory.toString()))
                .isZero();
    }

    @Test
    void allDifferencesAreCountedOnRequest() throws Exception {
        assertThat(run("replay", "--chain", "orders", "--only", "book", "--all", directory.toString()))
                .isEqualTo(1);
        assertThat(out.toString())
                .contains("268           267", "differs at input 150", "priceCents: 10001 recorded, 10000 replayed")
                .containsIgnoringWhitespaces(
                        "book: 1 difference in all: payload changed 1; changed fields: priceCents 1.");

        assertThat(run("replay", "--chain", "orders", "--only", "book", "--all", "--json", directory.toString()))
                .isEqualTo(1);
        assertThat(new ObjectMapper()
                        .readTree(out.toString())
                        .at("/services/0/differences/payload")
                        .asLong())
                .isEqualTo(1);
    }

    @Test
    void newOutputsAreFedOnRequest() throws Exception {
        assertThat(run("replay", "--chain", "orders", "--feed", "new", "--json", directory.toString()))
                .as(err.toString())
                .isEqualTo(1);
        JsonNode services = new ObjectMapper().readTree(out.toString()).path("services");
        assertThat(services).hasSize(5);
        assertThat(services.get(3).path("same").asLong()).isEqualTo(268);
        assertThat(services.get(4).at("/changedFields/priceCents").asLong()).isEqualTo(1);

        assertThat(run(
                        "replay",
                        "--chain",
                        "orders",
                        "--feed",
                        "new",
                        "--only",
                        "validate,price",
                        directory.toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("not in a row");
        assertThat(run("replay", "--chain", "orders", "--feed", "old", directory.toString()))
                .isEqualTo(2);
    }

    @Test
    void twoBuildsOfAChainAreCompared(@TempDir Path jars) throws Exception {
        Path classes = Path.of(OrdersProvider.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path jar = jars.resolve("orders-old.jar");
        if (Files.isDirectory(classes)) {
            try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar));
                    Stream<Path> files = Files.walk(classes)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    zip.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
                    Files.copy(file, zip);
                    zip.closeEntry();
                }
            }
        } else {
            Files.copy(classes, jar);
        }

        assertThat(run("replay", "--chain", "orders", "--against", jar.toString(), directory.toString()))
                .as(err + " " + out)
                .isZero();
        assertThat(out.toString()).contains("book", "the same").doesNotContain("DIFFERS");
    }

    @Test
    void impossibleOptionsAreUsageErrors() {
        String place = directory.toString();
        assertThat(run("replay", "--chain", "orders", "--from", "yesterday", place))
                .isEqualTo(2);
        assertThat(err.toString()).contains("neither a sequence nor a time");
        assertThat(run("replay", "--chain", "orders", "--from", "7", place)).isEqualTo(2);
        assertThat(run("replay", "--chain", "orders", "--speed", "fast", place)).isEqualTo(2);
        assertThat(run("replay", "--chain", "orders", "--only", "guess", place)).isEqualTo(2);
        assertThat(run("replay", "--chain", "orders", "--name", "none", place)).isEqualTo(3);
        assertThat(run("replay", "--chain", "orders", "--against", "no.jar", place))
                .isEqualTo(3);
        assertThat(run("trace", "0", place)).isEqualTo(2);
        assertThat(run("trace", "1", "--topic", "none", place)).isEqualTo(2);
    }

    @Test
    void aMessageIsTracedThroughAllTopics() throws Exception {
        assertThat(run("trace", "100", directory.toString())).as(err.toString()).isZero();
        assertThat(out.toString()).contains("> orders-0", "orders-1", "orders-5");
        assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);

        assertThat(run("trace", "100", "--topic", "orders-2", "--json", directory.toString()))
                .isZero();
        JsonNode way = new ObjectMapper().readTree(out.toString()).path("way");
        assertThat(way.get(0).path("topic").asText()).isEqualTo("orders-0");
        assertThat(run("trace", "9999", directory.toString())).isEqualTo(1);
    }

    @Test
    void tracedMessageEndsAsDeadLetter(@TempDir Path other) {
        Chain chain = Chain.named("shop")
                .then("check", () -> (in, out) -> out.forward(in))
                .then(
                        "price",
                        () -> (in, out) -> {
                            throw new IllegalArgumentException("no price");
                        },
                        ErrorPolicy.deadLetter())
                .build();
        try (Transport transport = new ChronicleProvider().open(Map.of("dir", other.toString()));
                Loops loops = Loops.cooperative(1);
                RunningChain running = chain.on(transport).with(loops).start()) {
            running.inlet().send(new byte[8]);
        }

        assertThat(run("trace", "1", other.toString())).as(err.toString()).isZero();
        assertThat(out.toString()).contains("shop-1 1 became a dead letter of price (shop-1.dead-letters)");
    }

    /** A message that was set aside is answered behind messages that answer later inputs. */
    @Test
    void setAsideMessageIsTracedToItsOutput(@TempDir Path other) {
        AtomicBoolean hasFailed = new AtomicBoolean();
        Chain chain = Chain.named("shop")
                .then(
                        "price",
                        () -> (in, out) -> {
                            if (in.sequence() == 1 && hasFailed.compareAndSet(false, true)) {
                                throw new IllegalStateException("not yet");
                            }
                            out.forward(in);
                        },
                        ErrorPolicy.retry(3).after(Duration.ofMillis(300)).perKey())
                .build();
        List<Long> causes = new CopyOnWriteArrayList<>();
        try (Transport transport = new ChronicleProvider().open(Map.of("dir", other.toString()));
                Loops loops = Loops.cooperative(1);
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onOutput(in -> causes.add(in.cause()))
                        .start()) {
            for (byte key = 1; key <= 3; key++) {
                running.inlet()
                        .send(ByteBuffer.allocate(8), new MessageFields().key(ByteBuffer.wrap(new byte[] {key})));
            }
            await().until(() -> causes.size() == 3);
        }
        assertThat(causes).containsExactly(2L, 3L, 1L);

        assertThat(run("trace", "1", other.toString())).as(err.toString()).isZero();
        assertThat(out.toString()).contains("> shop-0", "  shop-1");
    }

    /** The cause of a tick's output is the last input before the tick, which did not lead to it. */
    @Test
    void outputOfTickIsTracedToNoInput(@TempDir Path other) {
        class Sums implements TickingService {
            private boolean isDue;

            @Override
            public void onMessage(Message in, Outlet out) {
                isDue = true;
            }

            @Override
            public int onTick(Outlet out) {
                if (!isDue) {
                    return 0;
                }
                isDue = false;
                out.claim(8).putLong(0, 1).commit(8);
                return 1;
            }
        }
        Chain chain = Chain.named("shop")
                .then("sum", Sums::new)
                .then("price", () -> (in, out) -> out.forward(in))
                .build();
        try (Transport transport = new ChronicleProvider().open(Map.of("dir", other.toString()));
                Loops loops = Loops.cooperative(1);
                RunningChain running = chain.on(transport).with(loops).start()) {
            running.inlet().send(new byte[8]);
            await().until(() -> {
                try (TopicInspector inspector = transport.inspect("shop-2")) {
                    return inspector.newestSequence() == 1;
                }
            });
        }

        assertThat(run("trace", "1", "--topic", "shop-1", other.toString()))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("> shop-1", "  shop-2").doesNotContain("shop-0");
        assertThat(run("trace", "1", "--topic", "shop-2", other.toString())).isZero();
        assertThat(out.toString()).contains("  shop-1", "> shop-2").doesNotContain("shop-0");
    }
}
