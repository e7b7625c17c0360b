/**
 * What runs inside the fresh JVM of one trial: it opens the transport, starts the chains, sends, receives, judges. Reads
 * a {@link dev.baton.lab.plan.TrialPlan}, reports {@link dev.baton.lab.trial.Event}s, leaves a
 * {@link dev.baton.lab.result.TrialResult}.
 */
package dev.baton.lab.trial;
