/**
 * The code inside the fresh JVM of one trial: it opens the transport, starts the chains, sends, receives, judges. It reads a {@link
 * dev.baton.lab.request.TrialPlan}, reports {@link dev.baton.lab.protocol.Event}s, and writes a {@link dev.baton.lab.results.TrialResult}.
 */
package dev.baton.lab.trial;
