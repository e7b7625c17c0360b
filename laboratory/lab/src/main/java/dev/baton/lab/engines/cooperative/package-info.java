/**
 * The reference that Baton is judged by: the stages of a chain as a good engineer writes them on each library, run in turn
 * by a few loops with the batches, the idle strategy and the pacing of Baton's own loops, and with no promise: nothing
 * recovers, nothing is acknowledged after storage, nothing is audited.
 *
 * <p>Called by {@link dev.baton.lab.engines.ReferenceEngine}. CooperativeRig starts and stops chains, CooperativeLoop runs
 * stages (LoopStep), and each library's page has its stages: RingSteps, ExcerptSteps, FragmentSteps, RecordSteps. It may use the
 * libraries, the measuring kernel and the settings of the other reference loops.
 */
package dev.baton.lab.engines.cooperative;
