/**
 * The duty cycle of a part of a chain: poll, deliver, flush, and acknowledge the inputs whose outputs are stored; with the rules for
 * errors, dead letters, requests, redelivery and merging.
 *
 * <p>Called by {@code engine}, one turn at a time on the loop of the part. {@code DutyCycle} is the class to read first.
 * It may use {@code recovery}, {@code writing}, {@code state}, {@code message}, {@code letters}, {@code plan}, {@code loop} and
 * {@code chain}. Not exported.
 */
package dev.baton.engine.cycle;
