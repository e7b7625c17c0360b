package dev.baton.lab.study.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lab.study.load.LoadStudy.Method;
import dev.baton.operations.line.CommandException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The trial's side of clients in another process, whose words are played here. */
class ClientProcessTest {
    private static final HttpTarget TARGET = new HttpTarget(URI.create("http://h:1/a"), Method.GET, true, 16, 3);

    /** What the other process does. */
    private interface Other {
        void play(DataInputStream in, DataOutputStream out) throws IOException;
    }

    private ServerSocket server;
    private Thread thread;
    private ClientProcess clients;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        clients = new ClientProcess(TARGET, server.getLocalPort(), ClientProcess.MAX_SILENCE_MILLIS);
    }

    @AfterEach
    void end() throws Exception {
        clients.close();
        server.close();
        if (thread != null) {
            thread.join();
        }
    }

    private void playing(Other other) {
        thread = new Thread(() -> {
            try (Socket socket = server.accept()) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                assertThat(HttpTarget.read(in)).isEqualTo(TARGET);
                other.play(in, out);
            } catch (IOException gone) {
                // the test is over
            }
        });
        thread.start();
    }

    private static void greet(DataOutputStream out, long nanoTime) throws IOException {
        out.write(HttpClientMain.CONNECTED);
        out.writeLong(77);
        out.writeLong(nanoTime);
    }

    /** Keeps what it is told. */
    private static final class Told implements ClientSide.Answers {
        private final List<String> words = new ArrayList<>();
        private long sentNanos;

        @Override
        public void onSent() {
            words.add("sent");
        }

        @Override
        public void onAnswer(long sent, long nanos) {
            sentNanos = sent;
            words.add("answer after " + nanos);
        }

        @Override
        public void onFault(long number, String detail) {
            words.add(number + " " + detail);
        }
    }

    @Test
    void timesOfOtherProcessAreConverted() throws IOException {
        long hour = 3_600_000_000_000L;
        playing((in, out) -> {
            long begun = System.nanoTime() - hour; // another origin of its clock
            greet(out, begun);
            assertThat(in.readLong() - begun).isBetween(0L, hour);
            for (int i = 0; i < 3; i++) {
                out.write(HttpClientMain.SENT);
            }
            out.write(HttpClientMain.ANSWER);
            out.writeLong(begun);
            out.writeLong(5_000);
            out.write(HttpClientMain.FAULT);
            out.writeLong(1);
            out.writeUTF("status 500");
            out.write(HttpClientMain.TURN);
            out.write(HttpClientMain.ENDED);
            out.writeDouble(0.25);
            out.writeInt(1);
            out.writeLong(begun + 1);
        });
        long before = System.nanoTime();
        clients.connect();
        Told told = new Told();
        clients.run(told, () -> before + hour / 2, () -> false);
        assertThat(told.words).containsExactly("sent", "sent", "sent", "answer after 5000", "1 status 500");
        assertThat(told.sentNanos).isBetween(before, System.nanoTime());
        assertThat(clients.open()).containsExactly(told.sentNanos + 1);
        assertThat(clients.cpuCores()).isEqualTo(0.25);
        assertThat(clients.pids()).containsExactly(77L);
    }

    @Test
    void earlyEndAndStopArePassedOn() throws IOException {
        List<Long> ends = new ArrayList<>();
        playing((in, out) -> {
            greet(out, System.nanoTime());
            ends.add(in.readLong());
            out.write(HttpClientMain.TURN);
            ends.add(in.readLong());
            out.write(HttpClientMain.TURN);
            assertThat(in.read()).isEqualTo(-1);
            out.write(HttpClientMain.ENDED);
            out.writeDouble(0);
            out.writeInt(0);
        });
        clients.connect();
        long[] asked = {0};
        clients.run(new Told(), () -> asked[0]++ == 0 ? 9_000_000 : 1_000_000, () -> asked[0] > 3);
        assertThat(ends.get(0) - ends.get(1)).isEqualTo(8_000_000);
    }

    @Test
    void aProcessThatDiesEndsTheTrial() {
        playing((in, out) -> greet(out, System.nanoTime()));
        clients.connect();
        assertThatThrownBy(() -> clients.run(new Told(), () -> Long.MAX_VALUE, () -> false))
                .isInstanceOf(IOException.class);
    }

    @Test
    void aProcessThatStandsStillIsGivenUp() {
        clients = new ClientProcess(TARGET, server.getLocalPort(), 100);
        playing((in, out) -> {
            greet(out, System.nanoTime());
            in.readLong();
            in.read(); // until the other side gives up
        });
        clients.connect();
        assertThatThrownBy(() -> clients.run(new Told(), () -> Long.MAX_VALUE, () -> false))
                .isInstanceOf(IOException.class)
                .hasMessage("the clients' process has sent nothing for 100 ms");
    }

    @Test
    void closedServerIsReportedByClientProcess() {
        playing((in, out) -> {
            out.write(HttpClientMain.BROKEN);
            out.writeUTF("connection 1 was refused");
        });
        assertThatThrownBy(clients::connect)
                .isInstanceOf(CommandException.class)
                .hasMessage("connection 1 was refused");
    }

    @Test
    void getHasItsNumberInTheQuery() {
        assertThat(TARGET.beforeBody(16) + "NUMBER" + TARGET.afterBody())
                .isEqualTo("GET /a?NUMBER HTTP/1.1\r\nHost: h:1\r\n\r\n");
        HttpTarget foreign = new HttpTarget(URI.create("http://h:1/users?id=7"), Method.GET, false, 16, 3);
        assertThat(foreign.hasBody()).isFalse();
        assertThat(foreign.beforeBody(16) + foreign.afterBody())
                .isEqualTo("GET /users?id=7 HTTP/1.1\r\nHost: h:1\r\n\r\n");
    }
}
