/**
 * What runs inside the fresh JVM of one trial: it opens the transport, starts the chains, sends, receives, judges. Reads
 * a {@link dev.baton.lab.request.TrialPlan}, reports {@link dev.baton.lab.protocol.Event}s, leaves a
 * {@link dev.baton.lab.results.TrialResult}.
 */
package dev.baton.lab.trial;
