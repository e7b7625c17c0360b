package dev.baton.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints the reason why a chain did not start, without a stack trace. Stateless. */
final class StartFailureAnalyzer extends AbstractFailureAnalyzer<ChainStartException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ChainStartException cause) {
        String message = cause.getMessage();
        String action = message.contains("--add-")
                ? "Start the JVM with these flags, or write Add-Opens, Add-Exports and Enable-Native-Access into the manifest of"
                        + " the executable jar, as docs/spring.md shows."
                : "Do what the description says and start the application again. Chains that had started are closed.";
        return new FailureAnalysis(message, action, cause);
    }
}
