package dev.baton.lab.launch;

import dev.baton.lab.results.Experiment.Revision;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Asks git where the source of this laboratory stands. Stateless, thread-safe. */
public final class SourceRevision {
    private static final long LONGEST_SECONDS = 5;

    private SourceRevision() {}

    /** Null when the directory is not the source's, or git does not answer. */
    public static Revision of(Path root) {
        if (!Files.exists(root.resolve(".git"))) {
            return null;
        }
        String commit = git(root, "rev-parse", "HEAD");
        String changes = git(root, "status", "--porcelain", "--untracked-files=no");
        return commit == null || changes == null ? null : new Revision(commit, !changes.isEmpty());
    }

    private static String git(Path root, String... arguments) {
        List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
        command.addAll(List.of(arguments));
        try {
            Process git = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            git.getOutputStream().close();
            String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS) && git.exitValue() == 0 ? said : null;
        } catch (IOException noGit) {
            return null;
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
