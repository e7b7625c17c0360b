package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.kafka.client.Deadline;
import dev.baton.spi.Connection;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A writer whose process was paused, replaced and continued gets no frame in between, and is told. */
@Tag("slow")
@Tag("long")
class ZombieWriterTest extends OnBroker {
    private static final int WRITTEN = 20;

    @Test
    void transactionalZombieIsFencedAndItsFramesUnread() throws Exception {
        String name = newTopic(transport());
        Process zombie = zombie(name, true);
        BufferedReader said = said(zombie);
        Connection connection = connect(transport());
        TopicProbe reading = probe(name, connection);
        Recorder before = reading.read(WRITTEN);
        signal(zombie, "STOP");

        TopicProbe next = probe(name, connect(transport(options -> options.with(KafkaOptions.TRANSACTIONS, true))));
        int found = (int) next.writer().sequence();
        assertThat(found).isGreaterThanOrEqualTo(WRITTEN);
        next.write("next 1", "next 2");
        next.awaitStored();
        signal(zombie, "CONT");

        assertThat(end(zombie, said)).contains("fenced").contains(name);
        next.write("next 3");
        Recorder after = reading.read(found - WRITTEN + 3);
        assertThat(before.sequences())
                .isEqualTo(LongStream.rangeClosed(1, WRITTEN).boxed().toList());
        assertThat(after.sequences())
                .isEqualTo(
                        LongStream.rangeClosed(WRITTEN + 1, found + 3).boxed().toList());
        assertThat(after.texts()).endsWith("next 1", "next 2", "next 3");
    }

    @Test
    void plainZombieIsNotifiedAndItsFramesDropped() throws Exception {
        String name = newTopic(transport());
        Process zombie = zombie(name, false);
        BufferedReader said = said(zombie);
        Connection connection = connect(transport());
        TopicProbe reading = probe(name, connection);
        reading.read(WRITTEN);
        signal(zombie, "STOP");

        Connection newer = connect(transport());
        TopicProbe next = probe(name, newer);
        int found = (int) next.writer().sequence();
        next.write("next 1", "next 2");
        next.awaitStored();
        signal(zombie, "CONT");

        assertThat(end(zombie, said))
                .contains(
                        name,
                        "a newer writer, process " + ProcessHandle.current().pid() + ", baton-",
                        "and replaced this one, process " + zombie.pid() + ", baton-",
                        "Its frames up to sequence " + found + " count");
        next.write("next 3");
        Recorder after = reading.read(found - WRITTEN + 3);
        assertThat(after.texts()).endsWith("next 1", "next 2", "next 3");
        assertThat(after.sequences())
                .isEqualTo(
                        LongStream.rangeClosed(WRITTEN + 1, found + 3).boxed().toList());
        newer.close(); // or it may report that the next writer replaces its own
        assertThat(probe(name, connect(transport())).writer().sequence()).isEqualTo(found + 3);
    }

    private Process zombie(String topic, boolean isTransactional) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Zombie.class.getName(),
                        TestBroker.bootstrapServers(),
                        topic,
                        Boolean.toString(isTransactional))
                .redirectErrorStream(true)
                .start();
        closing(() -> process.destroyForcibly().onExit().get(10, TimeUnit.SECONDS));
        return process;
    }

    private static BufferedReader said(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    private static String end(Process process, BufferedReader said) throws Exception {
        StringBuilder all = new StringBuilder();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            all.append(line);
        }
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        return all.toString();
    }

    private static void signal(Process process, String name) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    /** Writes a frame every few milliseconds until it cannot any more, or for two minutes when it is forgotten. */
    static final class Zombie {
        private Zombie() {}

        public static void main(String[] arguments) {
            KafkaOptions options =
                    KafkaOptions.at(arguments[0]).with(KafkaOptions.TRANSACTIONS, Boolean.parseBoolean(arguments[2]));
            try (KafkaTransport transport = KafkaTransport.at(options);
                    Connection connection = transport.connect()) {
                TopicProbe topic = new TopicProbe(arguments[1], connection, turns(connection));
                Deadline deadline = Deadline.in(Duration.ofMinutes(2));
                for (int i = 1; !deadline.isOver(); i++) {
                    topic.write("zombie " + i);
                    turns(connection).settle(Duration.ofMillis(5));
                }
            } catch (TransportException failed) {
                System.out.println(failed.getMessage());
                Runtime.getRuntime().halt(3);
            }
        }
    }
}
