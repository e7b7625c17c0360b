/**
 * {@code baton chain}: how long messages take through a chain of services. The simplest study, and the model for others.
 *
 * <p><b>From the typed command to the printed table</b>, in the order in which the files are read:
 *
 * <ol>
 *   <li>{@code baton}, the script: builds the jar when it is stale, starts the JVM
 *   <li>{@code app.Baton}: the main class; names the transports, the brokers, the program of a trial
 *   <li>{@link dev.baton.operations.line.Program}: streams, signals, exit code
 *   <li>{@link dev.baton.lab.Laboratory}: all commands, those of studies from the registry
 *   <li>{@link dev.baton.lab.results.Studies}: the registry, which finds
 *   <li>{@link dev.baton.lab.study.chain.ChainKind}: this study
 *   <li>{@link dev.baton.lab.command.MeasuringCommand}: what all measuring commands do: plan, rehearse, run, report
 *   <li>{@link dev.baton.lab.study.chain.ChainCommand}: what was typed becomes a plan
 *   <li>{@link dev.baton.lab.command.TransportOptions}: over which transports
 *   <li>{@link dev.baton.lab.command.LoadOptions}: how many chains, what is sent, for how long
 *   <li>{@link dev.baton.lab.command.PlannedTrials}: one trial for each transport and engine
 *   <li>{@link dev.baton.lab.request.TrialPlan}: what one of them measures; final from here on
 *   <li>{@link dev.baton.lab.command.Rehearsal}: each transport is opened once, so that a typing mistake takes no trial
 *   <li>{@link dev.baton.lab.launch.Trials}: each trial in turn, with fresh directories and a broker where it needs one
 *   <li>{@link dev.baton.lab.request.PlacedTrial}: the plan and its place, which is what a child is told
 *   <li>{@code launch.ChildJvm}: the JVM of one trial
 *   <li>{@link dev.baton.lab.protocol.Event}: what that JVM says
 *   <li>{@link dev.baton.lab.trial.TrialMain}: in that JVM, reads both and finds the workload of its study
 *   <li>{@link dev.baton.lab.trial.TrialRunner}: open, warm up, measure, drain
 *   <li>{@code trial.Trial}: the phases and the instruments
 *   <li>{@link dev.baton.lab.trial.ChainWorkload}: generators, chains, receivers
 *   <li>{@link dev.baton.lab.results.TrialResult}: what it found, written to a file that the parent reads once
 *   <li>{@link dev.baton.lab.launch.ExperimentFolder}: the results of all trials
 *   <li>{@link dev.baton.lab.study.chain.ChainReport}: what is printed
 *   <li>{@link dev.baton.lab.reporting.ResultTable}: the table
 * </ol>
 *
 * <p><b>One measured message</b>, from its schedule to its record:
 *
 * <ol>
 *   <li>{@link dev.baton.measuring.EvenSchedule}: when it is due
 *   <li>{@code trial.Generator}: sends what is due, late or not, and records the delay of the send
 *   <li>{@link dev.baton.measuring.rig.GeneratorThread}: turns the generator when a message is due, outside of what is
 *       measured; with {@code --generator loop} {@code trial.GeneratorSource} turns it on the loop of its chain
 *   <li>{@code trial.BatonRig.PatternSender}: claims a frame, writes the payload that its number stands for, commits
 *   <li>{@code trial.BatonRig}: the chain of services that forward it, which is what is measured
 *   <li>{@code trial.BatonRig.InstanceOutput}: hands what comes out to the receiver
 *   <li>{@code trial.Receiver}: reads the clock, accounts, records
 *   <li>{@code trial.Recognition.BySlot}: which message it is
 *   <li>{@link dev.baton.measuring.DeliveryAccount}: whether it is lost, repeated or out of order
 *   <li>{@link dev.baton.measuring.LatencyRecorder}: how long it took
 * </ol>
 */
package dev.baton.lab.study.chain;
