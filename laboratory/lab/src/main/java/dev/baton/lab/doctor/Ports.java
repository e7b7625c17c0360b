package dev.baton.lab.doctor;

import dev.baton.measuring.machine.KernelTree;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The ports for a broker of our own, and the user of the usual port of brokers. Immutable, thread-safe.
 *
 * @param trouble why no port can be bound on loopback; null when one can
 * @param isTaken whether a process listens on {@value #KAFKA}; null when the kernel does not report it
 * @param taker its process, as far as visible; null otherwise
 */
record Ports(String trouble, Boolean isTaken, String taker) implements Diagnosis.Reading {
    static final int KAFKA = 9092;

    private static final String LISTENING = "0A";
    private static final int LOCAL = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;

    static Ports look(KernelTree tree) {
        return read(tree, bind());
    }

    private static String bind() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound() ? null : "not bound";
        } catch (IOException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    static Ports read(KernelTree tree, String trouble) {
        List<String> sockets = new ArrayList<>(tree.lines("proc/net/tcp"));
        sockets.addAll(tree.lines("proc/net/tcp6"));
        String port = String.format(Locale.ROOT, ":%04X", KAFKA);
        String inode = sockets.stream()
                .map(line -> line.trim().split("\\s+"))
                .filter(words -> words.length > INODE && words[LOCAL].endsWith(port) && words[STATE].equals(LISTENING))
                .map(words -> words[INODE])
                .findFirst()
                .orElse(null);
        Boolean isTaken = sockets.isEmpty() ? null : Boolean.valueOf(inode != null);
        return new Ports(trouble, isTaken, inode == null ? null : owner(tree, "socket:[" + inode + "]"));
    }

    /** Returns the owner of a socket; a user sees only the files of their own processes. */
    private static String owner(KernelTree tree, String socket) {
        for (String pid : tree.entries("proc", "[0-9]*")) {
            String files = "proc/" + pid + "/fd/";
            for (String file : tree.entries(files, "*")) {
                try {
                    if (Files.readSymbolicLink(tree.path(files + file))
                            .toString()
                            .equals(socket)) {
                        return tree.line("proc/" + pid + "/comm") + " (" + pid + ")";
                    }
                } catch (IOException | RuntimeException gone) {
                    // closed meanwhile
                }
            }
        }
        return null;
    }

    @Override
    public List<Finding> findings() {
        Finding loopback = Finding.of(
                trouble == null ? GradeLetter.A : GradeLetter.F,
                "loopback",
                trouble == null ? "ports can be bound" : "no port can be bound: " + trouble,
                "Kafka cannot be measured without a broker that listens",
                "sudo ip link set lo up");
        if (isTaken == null) {
            return List.of(loopback, Finding.hidden("port " + KAFKA, "the kernel lists no sockets"));
        }
        String found = !isTaken
                ? "free"
                : "taken by " + (taker == null ? "a process that is not visible" : taker)
                        + "; our broker takes another one";
        return List.of(loopback, Finding.fine("port " + KAFKA, found));
    }
}
