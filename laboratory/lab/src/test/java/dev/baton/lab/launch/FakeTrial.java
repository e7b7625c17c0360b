package dev.baton.lab.launch;

import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;

/**
 * The main class of a child that measures nothing: it does what a {@link FakeTrialHost} tells it over a socket. A test
 * starts hundreds of them, so a child loads classes of the JDK alone; reading the plan and writing the result, which take
 * ten times as long as its start, are left to the host, whose classes are loaded and compiled.
 */
public final class FakeTrial {
    /** System property: the port of the host on loopback. */
    static final String PORT = "baton.fake.port";

    /** Orders: one byte each, followed by a text where they have one. */
    static final byte PRINT = 1;

    static final byte COMPLAIN = 2;
    static final byte READ_LINE = 3;
    static final byte AWAIT_END = 4;
    static final byte EXIT = 5;

    private FakeTrial() {}

    public static void main(String[] arguments) throws IOException {
        obey(FakeTrial.class, arguments[0]);
    }

    /** A child that complains of the secrets that it was told, as libraries do, and of what its plan's file holds. */
    public static final class Indiscreet {
        private Indiscreet() {}

        public static void main(String[] arguments) throws IOException {
            obey(Indiscreet.class, arguments[0]);
        }
    }

    /** A child of a later build: {@code plain} loses a message, and {@code filing} does not run. */
    public static final class Worse {
        private Worse() {}

        public static void main(String[] arguments) throws IOException {
            obey(Worse.class, arguments[0]);
        }
    }

    private static void obey(Class<?> program, String planFile) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.getInteger(PORT))) {
            socket.setTcpNoDelay(true);
            DataInputStream orders = new DataInputStream(socket.getInputStream());
            DataOutputStream answers = new DataOutputStream(socket.getOutputStream());
            answers.writeUTF(program.getName());
            answers.writeUTF(planFile);
            answers.writeLong(ProcessHandle.current().pid());
            for (byte order = orders.readByte(); order != EXIT; order = orders.readByte()) {
                switch (order) {
                    case PRINT -> System.out.println(orders.readUTF());
                    case COMPLAIN -> System.err.println(orders.readUTF());
                    case READ_LINE -> answers.writeUTF(new BufferedReader(new InputStreamReader(System.in)).readLine());
                    default -> {
                        while (System.in.read() >= 0) {
                            // until it is asked to stop
                        }
                        answers.writeByte(AWAIT_END);
                    }
                }
            }
            System.exit(orders.readByte());
        }
    }
}
