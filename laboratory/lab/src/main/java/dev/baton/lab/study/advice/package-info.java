/**
 * {@code baton advise}: recommends the transport, loops and JVM that keep a limit at the least CPU cost.
 *
 * <p>{@link dev.baton.lab.study.advice.Survival} rules out transports. {@link dev.baton.lab.study.advice.Neighbourhood} lists the settings
 * that are one step from another, {@link dev.baton.lab.study.advice.AdviceSearch} decides which of them is measured next, and {@link
 * dev.baton.lab.study.advice.Confirmation} compares the two best. {@link dev.baton.lab.study.advice.Advice} is the answer. The trials are
 * those of {@code baton chain}.
 */
package dev.baton.lab.study.advice;
