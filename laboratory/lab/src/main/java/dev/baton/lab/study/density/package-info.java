/**
 * {@code baton density}: how many instances a machine holds. The search for the number, and what each number needs of the
 * machine.
 */
package dev.baton.lab.study.density;
