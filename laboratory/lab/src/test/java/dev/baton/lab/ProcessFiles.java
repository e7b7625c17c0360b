package dev.baton.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What Linux tells anybody about a process: its command line, and where it listens. Stateless, thread-safe. */
final class ProcessFiles {
    private static final String LISTENING = "0A";

    private ProcessFiles() {}

    /** Empty when the process has ended. */
    static String commandLine(long pid) {
        try {
            return new String(Files.readAllBytes(Path.of("/proc/" + pid + "/cmdline")), StandardCharsets.ISO_8859_1)
                    .replace('\0', ' ');
        } catch (IOException ended) {
            return "";
        }
    }

    /** This process's descendants, now. */
    static List<Long> descendants() {
        return ProcessHandle.current().descendants().map(ProcessHandle::pid).toList();
    }

    /** Addresses, as the kernel writes them, on which a process takes TCP connections. */
    static Set<String> listening(long pid) throws IOException {
        Set<String> sockets = sockets(pid);
        Set<String> addresses = new HashSet<>();
        for (String table : List.of("tcp", "tcp6")) {
            Path file = Path.of("/proc/" + pid + "/net/" + table);
            try (Stream<String> lines = Files.lines(file)) {
                lines.skip(1).map(line -> line.trim().split("\\s+")).forEach(columns -> {
                    if (columns[3].equals(LISTENING) && sockets.contains("socket:[" + columns[9] + "]")) {
                        addresses.add(columns[1].substring(0, columns[1].indexOf(':')));
                    }
                });
            }
        }
        return addresses;
    }

    private static Set<String> sockets(long pid) throws IOException {
        Set<String> all = new HashSet<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
            for (Path each : descriptors) {
                try {
                    all.add(Files.readSymbolicLink(each).toString());
                } catch (IOException closed) {
                    // meanwhile
                }
            }
        }
        return all;
    }
}
