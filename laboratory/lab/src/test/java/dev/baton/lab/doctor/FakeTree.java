package dev.baton.lab.doctor;

import dev.baton.measuring.machine.KernelTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory that looks like the files of a kernel. */
final class FakeTree {
    private final Path root;

    FakeTree(Path root) {
        this.root = root;
    }

    FakeTree with(String file, String content) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content + "\n");
        return this;
    }

    FakeTree link(String file, String target) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.createSymbolicLink(path, Path.of(target));
        return this;
    }

    KernelTree tree() {
        return new KernelTree(root);
    }
}
