/**
 * What runs inside the fresh JVM of one trial: it opens the transport, starts the chains, sends, receives, judges. Reads
 * a {@link dev.baton.benchmark.plan.TrialPlan}, reports {@link dev.baton.benchmark.trial.Event}s, leaves a
 * {@link dev.baton.benchmark.result.TrialResult}.
 */
package dev.baton.benchmark.trial;
