/**
 * {@code baton chain}: measures the latencies of messages in a chain of services. The simplest study, and the model for others.
 *
 * <p><b>From the command line to the printed table</b>, in the order in which the files are read:
 * <ol>
 * <li>{@code baton}, the script: builds the jar when it is stale, starts the JVM
 * <li>{@code app.Baton}: the main class; names the transports, the brokers, the program of a trial
 * <li>{@link dev.baton.operations.line.Program}: streams, signals, exit code
 * <li>{@link dev.baton.lab.Laboratory}: all commands, those of studies from the registry
 * <li>{@link dev.baton.lab.study.chain.ChainKind}: this study, found in the registry of {@code StudyKind}
 * <li>{@link dev.baton.lab.command.MeasuringCommand}: the steps of all measuring commands: plan, rehearse, run, report
 * <li>{@link dev.baton.lab.study.chain.ChainCommand}: turns the options into a plan
 * <li>{@link dev.baton.lab.command.TransportOptions}: the transports
 * <li>{@link dev.baton.lab.command.load.LoadOptions}: the number of chains, the messages, and the durations
 * <li>{@link dev.baton.lab.command.PlannedTrials}: one trial for each transport and engine
 * <li>{@link dev.baton.lab.request.TrialPlan}: the plan of one trial; not changed any more
 * <li>{@link dev.baton.lab.command.Rehearsal}: each transport is opened once, so that mistakes are found before the first trial
 * <li>{@link dev.baton.lab.launch.Trials}: each trial in turn, with fresh directories and a broker where it needs one
 * <li>{@link dev.baton.lab.request.PlacedTrial}: the plan and its place, which the child receives
 * <li>{@code launch.ChildJvm}: the JVM of one trial
 * <li>{@link dev.baton.lab.protocol.Event}: the reports of that JVM
 * <li>{@link dev.baton.lab.trial.TrialRunner}: in that JVM, reads both, finds the workload of its study, and runs the trial: open, warm up,
 * measure, drain
 * <li>{@code trial.Trial}: the phases and the instruments
 * <li>{@link dev.baton.lab.trial.ChainWorkload}: generators, chains, receivers
 * <li>{@link dev.baton.lab.results.TrialResult}: the result, written to a file that the parent reads once
 * <li>{@link dev.baton.lab.launch.ExperimentFolder}: the results of all trials
 * <li>{@link dev.baton.lab.study.chain.ChainReport}: the output
 * <li>{@link dev.baton.lab.reporting.ResultTable}: the table
 * </ol>
 *
 * <p><b>One measured message</b>, from its schedule to its record:
 * <ol>
 * <li>{@link dev.baton.measuring.EvenSchedule}: its due time
 * <li>{@code trial.ends.Generator}: sends due messages, late or not, and records the delay of the send
 * <li>{@link dev.baton.measuring.rig.GeneratorThread}: turns the generator when a message is due, outside of the measured chains; with
 * {@code --generator loop} {@code trial.ends.GeneratorSource} turns it on the loop of its chain
 * <li>{@code trial.BatonRig.PatternSender}: claims a frame, writes the payload that belongs to its number, commits
 * <li>{@code trial.BatonRig}: the chain of services that forward it, which are measured
 * <li>{@code trial.BatonRig.InstanceOutput}: hands outputs to the receiver
 * <li>{@code trial.ends.Receiver}: reads the clock, accounts, records
 * <li>{@code trial.ends.Recognition.BySlot}: identifies the message
 * <li>{@link dev.baton.measuring.DeliveryAccount}: counts lost, repeated and reordered messages
 * <li>{@link dev.baton.measuring.LatencyRecorder}: records the latency
 * </ol>
 */
package dev.baton.lab.study.chain;
