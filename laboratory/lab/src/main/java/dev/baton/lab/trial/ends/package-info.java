/**
 * Both ends of the instances of a trial: generators that send at the times of their schedules, receivers that check and record what arrives,
 * and the instruments that they share. The trial creates them, and they know nothing of it.
 */
package dev.baton.lab.trial.ends;
