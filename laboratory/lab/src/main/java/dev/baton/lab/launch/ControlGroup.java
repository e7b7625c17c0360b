package dev.baton.lab.launch;

import dev.baton.lab.request.MemoryBudget;
import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A control group (version 2) that limits a child's memory, created next to or below the group of this process and removed after the child
 * has ended; or none. None is created where the memory controller is not available. Confined to one thread.
 */
public final class ControlGroup implements AutoCloseable {
    private static final ControlGroup NONE = new ControlGroup(null);
    private static final Path MOUNT = Path.of("/sys/fs/cgroup");
    private static final Path OWN = Path.of("/proc/self/cgroup");
    private static final String UNIFIED = "0::";
    private static final int REMOVAL_ATTEMPTS = 50;
    private static final long REMOVAL_PAUSE_NANOS = 20_000_000;

    private final Path path; // null: none

    private ControlGroup(Path path) {
        this.path = path;
    }

    /**
     * The group that a budget asks for.
     *
     * @param budget null: none
     * @throws CommandException when it asks for one that may not be made
     */
    static ControlGroup of(MemoryBudget budget) {
        return budget == null || !budget.isGroup() ? NONE : make(MOUNT, OWN, budget.totalBytes());
    }

    /** {@return why this process may not create one; null when it may} Creates one to find out, and removes it. */
    public static String complaint() {
        return complaint(MOUNT, OWN);
    }

    static String complaint(Path mount, Path own) {
        try (ControlGroup group = make(mount, own, MemoryBudget.LEAST_BYTES)) {
            return Tool.run(group.enter(List.of("true"))).isOk() ? null : "no process may be moved into " + group.path;
        } catch (CommandException failure) {
            return failure.getMessage();
        } catch (IOException failed) {
            return failed.getMessage();
        }
    }

    /** Makes one that may hold so much, without swap. */
    static ControlGroup make(Path mount, Path own, long bytes) {
        List<String> reasons = new ArrayList<>();
        for (Path parent : parents(mount, own)) {
            Path group = parent.resolve(
                    "baton-" + ProcessHandle.current().pid() + "-" + Long.toString(System.nanoTime(), 36));
            try {
                Files.createDirectory(group);
            } catch (IOException refused) {
                reasons.add(parent + ": " + reason(refused));
                continue;
            }
            try {
                if (!Files.exists(group.resolve("memory.max"))) {
                    throw new IOException("the memory controller is not handed down");
                }
                Files.writeString(group.resolve("memory.max"), Long.toString(bytes));
                if (Files.exists(group.resolve("memory.swap.max"))) {
                    Files.writeString(group.resolve("memory.swap.max"), "0");
                }
                return new ControlGroup(group);
            } catch (IOException refused) {
                reasons.add(parent + ": " + reason(refused));
                new ControlGroup(group).close();
            }
        }
        throw CommandException.environment("a control group cannot be created here ("
                + (reasons.isEmpty() ? "no version 2 with a memory controller" : String.join("; ", reasons))
                + "); run under 'systemd-run --user --scope -p Delegate=yes', or use --memory-by flags");
    }

    /** The group of this process, and the one above it; none without a memory controller. */
    private static List<Path> parents(Path mount, Path own) {
        try {
            if (!Files.readString(mount.resolve("cgroup.controllers")).contains("memory")) {
                return List.of();
            }
            String path = Files.readAllLines(own).stream()
                    .filter(line -> line.startsWith(UNIFIED))
                    .map(line -> line.substring(UNIFIED.length() + 1))
                    .findFirst()
                    .orElse("");
            Path group = mount.resolve(path);
            return path.isEmpty() ? List.of(group) : List.of(group, group.getParent());
        } catch (IOException absent) {
            return List.of();
        }
    }

    private static String reason(IOException failed) {
        return failed instanceof java.nio.file.AccessDeniedException ? "permission denied" : failed.getMessage();
    }

    /** The command that enters the group before it becomes the given one; the same without a group. */
    List<String> enter(List<String> command) {
        if (path == null) {
            return command;
        }
        List<String> whole = new ArrayList<>(List.of(
                "/bin/sh", "-c", "echo $$ > \"$1\" && shift && exec \"$@\"", "baton-group", path + "/cgroup.procs"));
        whole.addAll(command);
        return whole;
    }

    /** Removes it; waits a second at most for the kernel to see that its process has ended. */
    @Override
    public void close() {
        if (path == null) {
            return;
        }
        for (int attempt = 0; attempt < REMOVAL_ATTEMPTS; attempt++) {
            try {
                Files.deleteIfExists(path);
                return;
            } catch (IOException stillUsed) {
                LockSupport.parkNanos(REMOVAL_PAUSE_NANOS);
            }
        }
    }
}
